//! What all pages share: where they stand, how they link, head, navigation and foot.

use crate::catalog::{Item, Named, RECORD};
use crate::figures::{Basis, Figure};
use crate::formula::Formula;
use crate::metric;
use crate::record::LatencyLimits;
use crate::record::kv_efficiency::Technique;
use crate::route::{Route, base_path, query};
use crate::schema::Document;
use crate::source::Kind;

use super::Site;
use super::asset::Asset;
use super::record::Fact;

/// A page's place in the site: every link is made here.
#[derive(Debug)]
pub struct Here<'a> {
    pub site: &'a Site<'a>,
    route: Route,
    /// Set for the page that is served at any depth, so that its links spell out the base path.
    base: Option<String>,
}

impl<'a> Here<'a> {
    pub fn at(site: &'a Site<'a>, route: Route) -> Self {
        Here { site, route, base: None }
    }

    /// A page that a host shows for any address.
    pub fn anywhere(site: &'a Site<'a>, route: Route) -> Self {
        let base = base_path(&site.catalog.site.base_url);
        Here { site, route, base: Some(base) }
    }

    /// Where the page stands.
    pub fn route(&self) -> &Route {
        &self.route
    }

    pub fn to(&self, route: &Route) -> String {
        match &self.base {
            Some(base) => format!("{base}{}", Route::home().link(route)),
            None => self.route.link(route),
        }
    }

    pub fn to_anchor(&self, route: &Route, anchor: &str) -> String {
        match &self.base {
            Some(_) => format!("{}#{anchor}", self.to(route)),
            None => self.route.link_to_anchor(route, anchor),
        }
    }

    /// The claim card of a figure of the record at an address.
    pub fn to_figure(&self, address: &str, figure: &Figure) -> String {
        self.to_anchor(&self.site.figure_route(address, figure), &figure.anchor())
    }

    /// The value of a figure on the pages of its record, under which it is cited.
    pub fn to_value(&self, address: &str, figure: &Figure) -> String {
        self.to_subject(address, &figure.anchor())
    }

    /// The cards of the figures of one formula, from the first of them on.
    pub fn to_formula(&self, address: &str, first: &Figure) -> String {
        self.to_anchor(&self.site.figure_route(address, first), &format!("formula:{}", first.formula.id))
    }

    /// Whether cells of this page are where the figures of a record are looked for, since their cards are elsewhere.
    pub fn anchors_figures_of(&self, address: &str) -> bool {
        let is_own = || self.route.path().strip_prefix(address).is_some_and(|rest| rest.starts_with('.'));
        self.site.has_figures_apart(address) && is_own()
    }

    /// The row of a config, or what else has an anchor on the page of a record.
    pub fn to_subject(&self, address: &str, anchor: &str) -> String {
        self.to_anchor(&self.site.anchor_route(address, anchor), anchor)
    }

    pub fn to_item(&self, item: &Item) -> String {
        self.to(&Route::record(&item.address))
    }

    /// A figure of a config, by the config's position in the record.
    pub fn figure(&self, item: &Item, position: usize, formula: &Formula) -> Option<&'a Figure> {
        let subject = item.subjects.get(position)?;
        self.site.figures.find(&item.address, &subject.anchor, formula).map(AsRef::as_ref)
    }

    /// A figure of the record as a whole, leading to its claim card.
    pub fn record_fact(&self, item: &Item, formula: &Formula) -> Option<Fact> {
        let figure = self.site.figures.find(&item.address, RECORD, formula)?;
        let assumed = if figure.basis() == Basis::Assumed { " (assumed)" } else { "" };
        let text = format!("{}{assumed}", figure.shown());
        let link = Link { text, href: Some(self.to_figure(&item.address, figure)) };
        Some(Fact::new(formula.name, vec![link]))
    }

    /// The limits of a record's SLO as it states them, each leading to its line.
    pub fn limits(&self, document: &Document, slo: &LatencyLimits) -> Vec<Link> {
        let link = |(name, limit): (&String, &f64)| {
            let pointer = format!("/slo/{name}");
            let limit = document.stated(&pointer, metric::unit_of(name), (*limit).into());
            let text = format!("{} ≤ {limit}", metric::heading(name));
            Link { text, href: Some(self.to_source(document, &pointer)) }
        };
        slo.iter().map(link).collect()
    }

    /// The page of an address as records write it.
    pub fn to_address(&self, address: &str) -> Link {
        let text = self.site.catalog.get(address).map_or(address, Item::title).to_owned();
        Link { text, href: Some(self.to(&Route::record(address))) }
    }

    /// The page of a named model or card: its entry, or the page that gathers the name as written. A card is shown under its
    /// entry's name; a model as written, which is often one of its checkpoints.
    pub fn to_named(&self, named: &Named, kind: Kind) -> Link {
        let route = match named.entry() {
            Some(address) => Some(Route::record(address)),
            None => {
                let found = self.site.gatherings.of_unlisted(kind, &named.name);
                found.map(|found| Route::unlisted(kind, &found.slug))
            }
        };
        let text = if kind == Kind::Hardware { self.site.catalog.title_of(named) } else { &named.name };
        Link { text: text.to_owned(), href: route.map(|route| self.to(&route)) }
    }

    /// `8 × NVIDIA H200`: the first of a result's accelerators under its entry's name.
    pub fn cards(&self, item: &Item, count: impl std::fmt::Display, as_written: &str) -> String {
        format!("{count} × {}", item.cards.first().map_or(as_written, |named| self.site.catalog.title_of(named)))
    }

    /// The engine of a record with its version, leading to the engine's page.
    pub fn engine_fact(&self, item: &Item) -> Option<Fact> {
        let engine = item.engine.as_ref()?;
        let version = engine.version().map(|version| format!(" {version}")).unwrap_or_default();
        let found = self.site.gatherings.engine(&engine.name);
        let link = Link {
            text: format!("{}{version}", engine.title()),
            href: found.map(|found| self.to(&Route::engine(&found.slug))),
        };
        Some(Fact::new("Engine", vec![link]))
    }

    pub fn technique_fact(&self, item: &Item) -> Option<Fact> {
        let links: Vec<_> = item.techniques.iter().map(|technique| self.to_technique(*technique)).collect();
        (!links.is_empty()).then(|| Fact::new("Technique", links))
    }

    pub fn to_technique(&self, technique: Technique) -> Link {
        let route = Route::technique(&technique.slug());
        Link { text: technique.name().to_owned(), href: Some(self.to(&route)) }
    }

    /// The line of a value in its source page.
    pub fn to_source(&self, document: &Document, pointer: &str) -> String {
        let line = document.line(pointer);
        self.to_anchor(&self.site.line_route(document, line), &format!("L{line}"))
    }

    /// The line of a value in the repository, where one is named together with a revision.
    pub fn to_repository(&self, document: &Document, pointer: Option<&str>) -> Option<String> {
        let repository = self.site.catalog.site.repository_url.as_deref()?.trim_end_matches('/');
        let revision = self.site.catalog.site.source_ref.as_deref()?;
        let line = pointer.map(|pointer| format!("#L{}", document.line(pointer))).unwrap_or_default();
        // A fenced front matter is shown rendered unless the plain view is asked for.
        let plain = if document.text.path.ends_with(".md") { "?plain=1" } else { "" };
        Some(format!("{repository}/blob/{revision}/{}{plain}{line}", document.text.path))
    }

    /// The repository's editor of a file, where one is named: on a branch, since a commit cannot be edited.
    fn to_edit(&self, document: &Document) -> Option<String> {
        let repository = self.site.catalog.site.repository_url.as_deref()?.trim_end_matches('/');
        let is_commit = |revision: &&str| revision.len() >= 40 && revision.chars().all(|c| c.is_ascii_hexdigit());
        let branch = self.site.catalog.site.source_ref.as_deref().filter(|revision| !is_commit(revision));
        Some(format!("{repository}/edit/{}/{}", branch.unwrap_or("HEAD"), document.text.path))
    }

    /// The form for a new issue of the repository, with its title filled in.
    pub fn to_issue(&self, title: &str) -> Option<String> {
        let repository = self.site.catalog.site.repository_url.as_deref()?.trim_end_matches('/');
        Some(format!("{repository}/issues/new?title={}", query(title)))
    }

    /// Head, navigation and foot of this page.
    pub fn frame(&self, title: &str, description: &str) -> Frame {
        let settings = &self.site.catalog.site;
        let canonical = self.route.absolute(&settings.base_url);
        Frame {
            lang: settings.lang.clone(),
            site_title: settings.title.clone(),
            title: title.to_owned(),
            description: description.to_owned(),
            canonical,
            card: Route::card().absolute(&settings.base_url),
            feed: self.site.has_feed().then(|| self.to(&Route::feed())),
            home: self.to(&Route::home()),
            style: self.to(&self.site.assets.route(Asset::Style)),
            script: self.to(&self.site.assets.route(Asset::Script)),
            custom_style: self.static_file("custom.css"),
            icon: ["favicon.svg", "favicon.ico"].into_iter().find_map(|name| self.static_file(name)),
            logo: settings.brand.logo.as_deref().and_then(|path| self.static_file(path)),
            navigation: self.navigation(),
            license: license(&settings.license),
            repository: settings.repository_url.clone(),
            edit: None,
            brand_footer: settings.brand.footer.clone(),
            data: self.to(&Route::data_dictionary()),
            settings: self.to(&Route::site_source()),
        }
    }

    /// A file of `static/`, where the site has it.
    pub fn static_file(&self, path: &str) -> Option<String> {
        let path = path.trim_start_matches('/');
        if !self.site.static_files.contains(path) {
            return None;
        }
        Route::static_file(path).ok().map(|route| self.to(&route))
    }

    fn navigation(&self) -> Vec<NavigationLink> {
        let short = |kind| match kind {
            Kind::Audit => "Audits",
            Kind::KvEfficiency => "KV efficiency",
            Kind::Model => "Models",
            Kind::Hardware => "Hardware",
            Kind::Price => "Prices",
            _ => "Runs",
        };
        let lists = self.site.lists().map(|kind| (short(kind), Route::list(kind)));
        let fixed = lists.chain([("Compare", Route::compare()), ("Methodology", Route::methodology())]);
        let mut pages: Vec<_> = self
            .site
            .catalog
            .of_kind(Kind::Page)
            .filter_map(|item| Some((item, item.page()?)))
            .filter_map(|(item, page)| Some((page.weight, page.nav.as_deref()?, Route::record(&item.address))))
            .collect();
        pages.sort();
        let pages = pages.into_iter().map(|(_, label, route)| (label, route));
        fixed
            .chain(pages)
            .map(|(label, route)| NavigationLink {
                label: label.to_owned(),
                href: self.to(&route),
                here: self.base.is_none() && route == self.route,
            })
            .collect()
    }
}

/// The source page of a document.
pub fn source_route(document: &Document) -> Route {
    if document.text.path == "site.toml" {
        Route::site_source()
    } else {
        Route::source(document.kind, &document.address)
    }
}

/// Text that may lead somewhere.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Link {
    pub text: String,
    pub href: Option<String>,
}

impl Link {
    pub fn plain(text: impl Into<String>) -> Self {
        Link { text: text.into(), href: None }
    }
}

#[derive(Debug)]
pub struct NavigationLink {
    pub label: String,
    pub href: String,
    pub here: bool,
}

/// Head, navigation and foot, ready to print.
#[derive(Debug)]
pub struct Frame {
    pub lang: String,
    pub site_title: String,
    pub title: String,
    pub description: String,
    pub canonical: String,
    /// The picture of the site, as a whole address.
    pub card: String,
    pub feed: Option<String>,
    pub home: String,
    pub style: String,
    /// What pages gain where scripts run.
    pub script: String,
    pub custom_style: Option<String>,
    pub icon: Option<String>,
    pub logo: Option<String>,
    pub navigation: Vec<NavigationLink>,
    pub license: Link,
    pub repository: Option<String>,
    /// Where the file that the page is made from can be edited.
    pub edit: Option<String>,
    pub brand_footer: Option<String>,
    pub data: String,
    /// Source page of `site.toml`.
    pub settings: String,
}

impl Frame {
    /// The frame of a page that is made from a content file.
    pub fn made_from(mut self, here: &Here, document: &Document) -> Self {
        self.edit = here.to_edit(document);
        self
    }

    /// Says in the title which part of a long page it is, but for the first.
    pub fn of_part(mut self, part: usize) -> Self {
        if part > 1 {
            self.title = format!("{}, part {part}", self.title);
        }
        self
    }
}

/// A model's name without the organisation that publishes it.
pub fn checkpoint(name: &str) -> &str {
    name.rsplit_once('/').map_or(name, |(_, own)| own)
}

/// What stands beside a result wherever it is listed: whose measurement it is, and whether it still stands.
pub fn badges(item: &Item) -> Vec<String> {
    let relation = item.provenance().and_then(|provenance| Some(provenance.relation?.words()));
    relation.into_iter().chain(item.standing()).map(str::to_owned).collect()
}

/// A licence by its SPDX name, leading to its text where we know where that is.
pub fn license(name: &str) -> Link {
    match name {
        "CC-BY-4.0" => {
            Link { text: "CC BY 4.0".to_owned(), href: Some("https://creativecommons.org/licenses/by/4.0/".to_owned()) }
        }
        other => Link::plain(other),
    }
}
