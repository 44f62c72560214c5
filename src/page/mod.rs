//! Pages: each page kind is one struct that its template of the same name prints.

mod addresses;
mod audit;
mod brand;
mod checks;
mod claim;
mod collection;
mod derived;
mod disagreements;
mod entity;
mod evidence;
mod figure;
mod frame;
mod gathering;
mod glossary;
mod home;
mod kv_efficiency;
mod list;
mod methodology;
mod model;
mod not_found;
mod prose;
mod record;
mod redirect;
mod reproduce;
mod run;
mod source;
mod steps;
mod table;

use std::borrow::Cow;
use std::collections::BTreeSet;

use askama::Template;

use crate::anchor;
use crate::catalog::{Catalog, Item};
use crate::chart;
use crate::diagnostic::Report;
use crate::export;
use crate::figures::Figures;
use crate::record::kv_efficiency::Technique;
use crate::route::Route;
use crate::schema::Document;
use crate::source::{Kind, visible};

use collection::{Folder, Folders};
use frame::{Here, Link};

pub use claim::subject_label;
use gathering::{ByName, Gatherings};
pub use record::citation;

/// Everything that pages are composed from.
#[derive(Debug)]
pub struct Site<'a> {
    pub catalog: &'a Catalog,
    pub figures: &'a Figures,
    gatherings: Gatherings<'a>,
    folders: Folders<'a>,
    /// Paths of the root's `static/`.
    static_files: BTreeSet<String>,
    /// The whole style sheet.
    style: String,
}

/// One file of the site that is made from the catalog: one producer a path.
#[derive(Debug, Clone, Copy)]
pub enum Planned<'a> {
    Home,
    List(Kind),
    /// The list of a folder inside that of a kind.
    Folder(&'a Folder<'a>),
    Engines,
    Techniques,
    Record(&'a str),
    Data(&'a str),
    Source(&'a Document),
    Engine(&'a ByName<'a>),
    Technique(Technique),
    Unlisted(Kind, &'a ByName<'a>),
    Redirect {
        old: &'a str,
        new: &'a str,
    },
    Methodology,
    Glossary,
    Checks,
    Disagreements,
    NotFound,
    DataIndex,
    Sitemap,
    Robots,
    NoJekyll,
    Style,
}

/// An old address, the new one, and where that is said.
struct Alias<'a> {
    document: &'a Document,
    /// JSON pointer in `document`.
    pointer: String,
    old: &'a str,
    new: &'a str,
}

const STYLE: &str = include_str!("../../templates/style.css");

/// Reports links that lead nowhere, a brand that cannot be read, and addresses that two things would have.
pub fn check(site: &Site, report: &mut Report) {
    prose::check(site, report);
    brand::check(site.catalog, &site.static_files, report);
    addresses::check(site, report);
}

impl<'a> Site<'a> {
    pub fn new(catalog: &'a Catalog, figures: &'a Figures, static_files: BTreeSet<String>) -> Self {
        let style = format!("{STYLE}\n{}{}", chart::CSS, brand::style(catalog));
        let gatherings = Gatherings::of(catalog);
        let folders = Folders::of(catalog, &gatherings);
        Site { catalog, figures, gatherings, folders, static_files, style }
    }

    /// Every file that the catalog makes, in an order that does not depend on anything else.
    pub fn plan(&self) -> Vec<Planned<'_>> {
        let mut plan = vec![
            Planned::Home,
            Planned::Methodology,
            Planned::Glossary,
            Planned::Checks,
            Planned::Disagreements,
            Planned::NotFound,
            Planned::DataIndex,
            Planned::Sitemap,
            Planned::Robots,
            Planned::NoJekyll,
            Planned::Style,
            Planned::Source(&self.catalog.settings),
        ];
        plan.extend(self.lists().map(Planned::List));
        plan.extend(self.folders.nested().map(Planned::Folder));
        plan.extend(Some(Planned::Engines).filter(|_| !self.gatherings.engines().is_empty()));
        plan.extend(Some(Planned::Techniques).filter(|_| self.gatherings.techniques().next().is_some()));
        for item in self.catalog.items() {
            // The page of a collection is the list of its folder.
            plan.extend(item.collection().is_none().then_some(Planned::Record(&item.address)));
            plan.push(Planned::Data(&item.address));
            plan.extend(item.documents().map(|document| Planned::Source(document)));
        }
        plan.extend(self.aliases().map(|Alias { old, new, .. }| Planned::Redirect { old, new }));
        plan.extend(self.gatherings.engines().iter().map(Planned::Engine));
        plan.extend(self.gatherings.techniques().map(Planned::Technique));
        for kind in [Kind::Model, Kind::Hardware] {
            plan.extend(self.gatherings.unlisted(kind).iter().map(|name| Planned::Unlisted(kind, name)));
        }
        // A root's own file stands in place of a built-in one, never in place of a page.
        let built_in = |planned: &Planned| matches!(planned, Planned::Robots | Planned::NoJekyll | Planned::Style);
        plan.retain(|planned| !(built_in(planned) && self.static_files.contains(self.route(*planned).path())));
        plan
    }

    /// Old addresses: of records, then of the site.
    fn aliases(&self) -> impl Iterator<Item = Alias<'_>> {
        let of_record = |item: &'a Item| {
            let aliases = item.curation().into_iter().flat_map(|curation| &curation.aliases);
            aliases.enumerate().map(|(position, old)| Alias {
                document: item.prose(),
                pointer: format!("/aliases/{position}"),
                old,
                new: &item.address,
            })
        };
        let of_site = self.catalog.site.aliases.iter().map(|(old, new)| Alias {
            document: &self.catalog.settings,
            pointer: format!("/aliases/{}", old.replace('~', "~0").replace('/', "~1")),
            old,
            new,
        });
        self.catalog.items().flat_map(of_record).chain(of_site)
    }

    /// Where a planned file stands; [`check`] refuses aliases that are no paths.
    pub fn route(&self, planned: Planned) -> Route {
        match planned {
            Planned::Home => Route::home(),
            Planned::List(kind) => Route::list(kind),
            Planned::Folder(folder) => Route::folder(&folder.path),
            Planned::Engines => Route::engines(),
            Planned::Techniques => Route::techniques(),
            Planned::Record(address) => Route::record(address),
            Planned::Data(address) => Route::data(address),
            Planned::Source(document) => frame::source_route(document),
            Planned::Engine(engine) => Route::engine(&engine.slug),
            Planned::Technique(technique) => Route::technique(&anchor::slug(technique.id())),
            Planned::Unlisted(Kind::Hardware, name) => Route::unlisted_hardware(&name.slug),
            Planned::Unlisted(_, name) => Route::unlisted_model(&name.slug),
            Planned::Redirect { old, .. } => Route::alias(old).expect("aliases are safe paths"),
            Planned::Methodology => Route::methodology(),
            Planned::Glossary => Route::glossary(),
            Planned::Checks => Route::checks(),
            Planned::Disagreements => Route::disagreements(),
            Planned::NotFound => Route::not_found(),
            Planned::DataIndex => Route::data_index(),
            Planned::Sitemap => Route::sitemap(),
            Planned::Robots => Route::robots(),
            Planned::NoJekyll => Route::no_jekyll(),
            Planned::Style => self.style(),
        }
    }

    /// The bytes of a planned file.
    pub fn render(&self, planned: Planned) -> Vec<u8> {
        let here = match planned {
            Planned::NotFound => Here::anywhere(self, self.route(planned)),
            _ => Here::at(self, self.route(planned)),
        };
        let item = |address: &str| self.catalog.get(address).expect("planned from the catalog's own items");
        match planned {
            Planned::Home => print(&home::compose(&here)),
            Planned::List(kind) => print(&list::of_folder(&here, self.folders.of_kind(kind))),
            Planned::Folder(folder) => print(&list::of_folder(&here, folder)),
            Planned::Engines => print(&list::engines(&here)),
            Planned::Techniques => print(&list::techniques(&here)),
            Planned::Record(address) => match item(address) {
                page if page.kind() == Kind::Page => print(&prose::compose(&here, page)),
                result if result.is_result() => print(&record::compose(&here, result)),
                entity => print(&entity::of_item(&here, entity)),
            },
            Planned::Data(address) => export::record(item(address), self.figures),
            Planned::Source(document) => print(&source::compose(&here, document)),
            Planned::Engine(engine) => {
                let kind = Link { text: "Engines".to_owned(), href: Some(here.to(&Route::engines())) };
                print(&entity::of_name(&here, engine, kind, entity::results(engine.items.len())))
            }
            Planned::Technique(technique) => print(&entity::of_technique(&here, technique)),
            Planned::Unlisted(kind, name) => {
                let link = Link { text: record::kind_title(kind).to_owned(), href: Some(here.to(&Route::list(kind))) };
                let finding = "No entry has this name, so figures that need one are missing".to_owned();
                print(&entity::of_name(&here, name, link, finding))
            }
            Planned::Redirect { new, .. } => print(&redirect::compose(&here, new)),
            Planned::Methodology => print(&methodology::compose(&here)),
            Planned::Glossary => print(&glossary::compose(&here)),
            Planned::Checks => print(&checks::compose(&here)),
            Planned::Disagreements => print(&disagreements::compose(&here)),
            Planned::NotFound => print(&not_found::compose(&here)),
            Planned::DataIndex => export::index(self.catalog),
            Planned::Sitemap => self.sitemap().into_bytes(),
            Planned::Robots => self.robots().into_bytes(),
            Planned::NoJekyll => Vec::new(),
            Planned::Style => self.style.clone().into_bytes(),
        }
    }

    /// Kinds that have a list: those with something to list, and runs always.
    pub(crate) fn lists(&self) -> impl Iterator<Item = Kind> {
        let kinds = [Kind::Run, Kind::Audit, Kind::KvEfficiency, Kind::Model, Kind::Hardware, Kind::Price];
        kinds.into_iter().filter(|kind| {
            let named = matches!(kind, Kind::Model | Kind::Hardware) && !self.gatherings.unlisted(*kind).is_empty();
            *kind == Kind::Run || named || !self.folders.of_kind(*kind).is_bare()
        })
    }

    /// Where the style sheet stands.
    fn style(&self) -> Route {
        Route::asset("style", "css", self.style.as_bytes())
    }

    fn sitemap(&self) -> String {
        let page = |planned: &Planned| {
            let path = self.route(*planned).path().to_owned();
            let made = matches!(planned, Planned::Source(_) | Planned::Redirect { .. } | Planned::NotFound);
            path.ends_with(".html") && !made
        };
        let pages = self.plan().into_iter().filter(page).map(|planned| self.route(planned));
        export::sitemap(&self.catalog.site.base_url, pages.collect::<BTreeSet<_>>().into_iter())
    }

    fn robots(&self) -> String {
        let sitemap = Route::sitemap().absolute(&self.catalog.site.base_url);
        format!("User-agent: *\nAllow: /\n\nSitemap: {sitemap}\n")
    }
}

fn print(page: &impl Template) -> Vec<u8> {
    let mut text = page.render().expect("writing into a string does not fail");
    text.push('\n');
    // A run record is published as its harness wrote it, and may hold what nobody sees.
    match visible(&text) {
        Cow::Owned(shown) => shown.into_bytes(),
        Cow::Borrowed(_) => text.into_bytes(),
    }
}
