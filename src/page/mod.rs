//! Pages: each page kind is one struct that its template of the same name prints.

mod accuracy;
mod addresses;
mod asset;
mod audit;
mod brand;
mod checks;
mod claim;
mod collection;
mod compare;
mod comparisons;
mod continued;
mod corrections;
mod data;
mod derived;
mod disagreements;
mod drawing;
mod entity;
mod evidence;
mod facet;
mod feed;
mod figure;
mod flag;
mod frame;
mod gaps;
mod gathering;
mod glossary;
mod home;
mod kv_efficiency;
mod layout;
mod linked_data;
mod list;
mod methodology;
mod model;
mod not_found;
mod part;
mod prose;
mod record;
mod redirect;
mod reproduce;
mod run;
mod search;
mod source;
mod steps;
mod table;
mod tables;
mod tradeoff;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use askama::Template;
use rayon::prelude::*;

use crate::catalog::{Catalog, Item};
use crate::diagnostic::{Report, Severity};
use crate::export;
use crate::export::figures::Form;
use crate::figures::Figures;
use crate::record::kv_efficiency::Technique;
use crate::route::Route;
use crate::schema::{self, Document};
use crate::source::{Kind, visible};

use addresses::Alias;
use asset::{Asset, Assets};
use collection::Folders;
use comparisons::Compared;
use frame::Here;
use gathering::{ByName, Gatherings};
use layout::Layout;
use list::Listed;
use part::Strand;

pub use claim::subject_label;
pub use record::citation;

/// Everything that pages are composed from.
#[derive(Debug)]
pub struct Site<'a> {
    pub catalog: &'a Catalog,
    pub figures: &'a Figures,
    gatherings: Gatherings<'a>,
    folders: Folders<'a>,
    layout: Layout<'a>,
    /// Paths of the root's `static/`.
    static_files: BTreeSet<String>,
    /// What the build warned of and nobody acknowledges, by file: rule and message.
    warnings: BTreeMap<String, Vec<(&'static str, String)>>,
    assets: Assets,
}

/// One file of the site that is made from the catalog: one producer a path.
#[derive(Debug, Clone, Copy)]
pub struct File<'a> {
    pub planned: Planned<'a>,
    /// Which part of a long page, from 1.
    pub part: usize,
}

/// A page of one or more files, or a file of data.
#[derive(Debug, Clone, Copy)]
pub enum Planned<'a> {
    Home,
    List(Listed<'a>),
    Record(&'a str),
    /// How the figures of a record were computed, where its own page has no room for that.
    Figures(&'a str),
    Data(&'a str),
    /// The chart of a result's finding, or of the results of a model or card.
    Drawing(&'a str),
    Source(&'a Document),
    Engine(&'a ByName<'a>),
    Technique(Technique),
    Unlisted(Kind, &'a ByName<'a>),
    /// Results beside each other that have a model, a card, an engine, a technique or their record in common.
    Comparisons(Compared<'a>),
    Redirect {
        old: &'a str,
        new: &'a str,
    },
    Methodology,
    Glossary,
    Checks,
    Disagreements,
    Gaps,
    Corrections,
    /// Where a reader chooses what to set beside each other.
    Compare,
    NotFound,
    DataIndex,
    DataComparisons,
    /// The same as a script.
    ComparisonsScript,
    SearchScript,
    DataDictionary,
    /// All figures of a kind.
    DataTable(Kind, Form),
    /// The name of a schema, and its text.
    Schema(&'static str, &'static str),
    Feed,
    Sitemap,
    Card,
    Robots,
    NoJekyll,
    Asset(Asset),
}

/// A motif without words, which stands beside the title of any site.
const CARD: &[u8] = include_bytes!("../../templates/card.png");

/// Reports links that lead nowhere, a brand that cannot be read, and addresses that two things would have.
pub fn check(site: &Site, report: &mut Report) {
    prose::check(site, report);
    brand::check(site.catalog, &site.static_files, report);
    addresses::check(site, report);
}

impl<'a> Site<'a> {
    pub fn new(catalog: &'a Catalog, figures: &'a Figures, static_files: BTreeSet<String>) -> Self {
        let assets = Assets::of(catalog);
        let gatherings = Gatherings::of(catalog);
        let folders = Folders::of(catalog, &gatherings);
        let mut site = Site {
            catalog,
            figures,
            gatherings,
            folders,
            layout: Layout::default(),
            static_files,
            warnings: BTreeMap::new(),
            assets,
        };
        Layout::lay(&mut site);
        site
    }

    /// Shows what the build warns of on the page of the record that it is in.
    pub fn warn(&mut self, report: &Report) {
        let warnings = report.diagnostics().filter(|found| found.severity() == Severity::Warning);
        for found in warnings {
            let of_file = self.warnings.entry(found.location.path().to_owned()).or_default();
            of_file.push((found.rule.code, found.message.clone()));
        }
    }

    /// Every file that the catalog makes, in an order that does not depend on anything else.
    pub fn plan(&self) -> Vec<File<'_>> {
        let pages = self.pages();
        let parts: Vec<_> = pages.par_iter().map(|planned| self.parts(*planned)).collect();
        let files = |(planned, parts)| (1..=parts).map(move |part| File { planned, part });
        pages.into_iter().zip(parts).flat_map(files).collect()
    }

    fn pages(&self) -> Vec<Planned<'_>> {
        let mut plan = vec![
            Planned::Home,
            Planned::Methodology,
            Planned::Glossary,
            Planned::Checks,
            Planned::Disagreements,
            Planned::Gaps,
            Planned::Corrections,
            Planned::Compare,
            Planned::NotFound,
            Planned::DataIndex,
            Planned::DataComparisons,
            Planned::ComparisonsScript,
            Planned::SearchScript,
            Planned::DataDictionary,
            Planned::Sitemap,
            Planned::Card,
            Planned::Robots,
            Planned::NoJekyll,
            Planned::Source(&self.catalog.settings),
        ];
        plan.extend(Asset::ALL.map(Planned::Asset));
        let folders = self.lists().map(|kind| self.folders.of_kind(kind)).chain(self.folders.nested());
        let lists = folders.flat_map(|folder| [vec![Listed::Folder(folder)], facet::narrowed(self, folder)].concat());
        let engines = Some(Listed::Engines).filter(|_| !self.gatherings.engines().is_empty());
        let techniques = Some(Listed::Techniques).filter(|_| self.gatherings.techniques().next().is_some());
        plan.extend(lists.chain(engines).chain(techniques).map(Planned::List));
        plan.extend(self.tables());
        plan.extend(self.has_feed().then_some(Planned::Feed));
        plan.extend(schema::sources().map(|(file, text)| Planned::Schema(file, text)));
        for item in self.catalog.items() {
            // The page of a collection is the list of its folder.
            plan.extend(item.collection().is_none().then_some(Planned::Record(&item.address)));
            plan.extend(self.layout.figures(&item.address).map(|_| Planned::Figures(&item.address)));
            plan.push(Planned::Data(&item.address));
            plan.extend(self.layout.has_drawing(&item.address).then_some(Planned::Drawing(&item.address)));
            plan.extend(item.documents().map(|document| Planned::Source(document)));
        }
        plan.extend(self.aliases().map(|Alias { old, new, .. }| Planned::Redirect { old, new }));
        plan.extend(self.gatherings.engines().iter().map(Planned::Engine));
        plan.extend(self.gatherings.techniques().map(Planned::Technique));
        for kind in [Kind::Model, Kind::Hardware] {
            plan.extend(self.gatherings.unlisted(kind).iter().map(|name| Planned::Unlisted(kind, name)));
        }
        plan.extend(self.compared().map(Planned::Comparisons));
        // A root's own file stands in place of a built-in one, never in place of a page.
        let built_in = |planned: &Planned| {
            matches!(planned, Planned::Card | Planned::Robots | Planned::NoJekyll | Planned::Asset(_))
        };
        plan.retain(|planned| !(built_in(planned) && self.static_files.contains(self.page_route(*planned).path())));
        plan
    }

    /// Whose results are set beside each other: every model, card, engine and technique that has any, and every record that
    /// has several.
    fn compared(&self) -> impl Iterator<Item = Compared<'_>> {
        let of_kind = |kind: Kind| {
            let entries = self.gatherings.list(kind).iter().copied();
            let entries = entries.filter(|item| !self.gatherings.of_entry(&item.address).is_empty());
            let unlisted = self.gatherings.unlisted(kind).iter();
            entries.map(Compared::Entry).chain(unlisted.map(move |name| Compared::Unlisted(kind, name)))
        };
        let engines = self.gatherings.engines().iter().map(Compared::Engine);
        let techniques = self.gatherings.techniques().map(Compared::Technique);
        let of_records = [Kind::Run, Kind::Audit, Kind::KvEfficiency].into_iter().flat_map(|kind| {
            let records = self.gatherings.list(kind).iter().filter(|item| comparisons::has_several(self, item));
            records.map(Compared::Record)
        });
        let entries = [Kind::Model, Kind::Hardware].into_iter().flat_map(of_kind);
        entries.chain(engines).chain(techniques).chain(of_records)
    }

    /// How many files a page is cut into.
    fn parts(&self, planned: Planned) -> usize {
        match planned {
            Planned::Figures(address) => self.layout.figures(address).map_or(1, part::Parts::count),
            Planned::Source(document) => self.layout.source_parts(document),
            _ => part::cut(&self.strands(&Here::at(self, self.page_route(planned)), planned)).count(),
        }
    }

    /// The tables that a page is cut by.
    fn strands<'s>(&'s self, here: &'s Here<'s>, planned: Planned<'s>) -> Vec<Strand<'s>> {
        match planned {
            Planned::List(listed) => list::strands(here, listed),
            Planned::Record(address) => record::strands(here, self.item(address)),
            Planned::Engine(name) | Planned::Unlisted(_, name) => entity::gathered(here, &name.items),
            Planned::Technique(technique) => entity::gathered(here, self.gatherings.of_technique(technique)),
            Planned::Disagreements => disagreements::strands(here),
            Planned::Gaps => gaps::strands(here),
            Planned::Corrections => corrections::strands(here),
            Planned::Comparisons(compared) => comparisons::strands(here, compared),
            _ => Vec::new(),
        }
    }

    fn item(&self, address: &str) -> &'a Item {
        self.catalog.get(address).expect("planned from the catalog's own items")
    }

    /// Where a planned file stands; [`check`] refuses aliases that are no paths.
    pub fn route(&self, file: File) -> Route {
        self.page_route(file.planned).part(file.part)
    }

    fn page_route(&self, planned: Planned) -> Route {
        match planned {
            Planned::Home => Route::home(),
            Planned::List(listed) => listed.route(),
            Planned::Record(address) => Route::record(address),
            Planned::Figures(address) => Route::figures(address),
            Planned::Data(address) => Route::data(address),
            Planned::Drawing(address) => Route::drawing(address),
            Planned::Source(document) => frame::source_route(document),
            Planned::Engine(engine) => Route::engine(&engine.slug),
            Planned::Technique(technique) => Route::technique(&technique.slug()),
            Planned::Unlisted(kind, name) => Route::unlisted(kind, &name.slug),
            Planned::Redirect { old, .. } => Route::alias(old).expect("aliases are safe paths"),
            Planned::Methodology => Route::methodology(),
            Planned::Glossary => Route::glossary(),
            Planned::Checks => Route::checks(),
            Planned::Disagreements => Route::disagreements(),
            Planned::Gaps => Route::gaps(),
            Planned::Corrections => Route::corrections(),
            Planned::NotFound => Route::not_found(),
            Planned::DataIndex => Route::data_index(),
            Planned::DataComparisons => Route::comparisons_data(),
            Planned::DataDictionary => Route::data_dictionary(),
            Planned::DataTable(kind, form) => Route::figures_table(kind, form.ending()),
            Planned::ComparisonsScript => Route::comparisons_script(),
            Planned::SearchScript => Route::search_script(),
            Planned::Compare => Route::compare(),
            Planned::Comparisons(compared) => compared.route(),
            Planned::Schema(file, _) => Route::schema(file),
            Planned::Feed => Route::feed(),
            Planned::Sitemap => Route::sitemap(),
            Planned::Card => Route::card(),
            Planned::Robots => Route::robots(),
            Planned::NoJekyll => Route::no_jekyll(),
            Planned::Asset(asset) => self.assets.route(asset),
        }
    }

    /// Writes a planned file: a page as a whole, data while it is made.
    pub fn render(&self, file: File, out: &mut dyn Write) -> io::Result<()> {
        let (File { planned, part }, Site { catalog, figures, .. }) = (file, self);
        let here = match planned {
            Planned::NotFound => Here::anywhere(self, self.route(file)),
            _ => Here::at(self, self.route(file)),
        };
        let whole = match planned {
            Planned::Data(address) => return export::record(self.item(address), catalog, figures, out),
            Planned::DataIndex => return export::index(catalog, out),
            Planned::DataTable(kind, form) => return self.table(kind, form, out),
            Planned::DataComparisons => return export::comparisons(catalog, figures.comparisons(), out),
            Planned::ComparisonsScript => return export::comparisons_script(catalog, figures.comparisons(), out),
            Planned::SearchScript => return export::search(&search::entries(self), &catalog.site.license, out),
            Planned::Figures(address) => print(&continued::figures(&here, self.item(address), part)),
            Planned::Source(document) => print(&source::compose(&here, document, part)),
            _ if part > 1 => {
                let page = self.page_route(planned);
                print(&continued::tables(&here, &self.title(planned), &page, &self.strands(&here, planned), part))
            }
            Planned::Home => print(&home::compose(&here)),
            Planned::List(listed) => print(&list::compose(&here, listed)),
            Planned::Record(address) => match self.item(address) {
                page if page.kind() == Kind::Page => print(&prose::compose(&here, page)),
                result if result.is_result() => print(&record::compose(&here, result)),
                entity => print(&entity::of_item(&here, entity)),
            },
            Planned::Drawing(address) => shown(drawing::compose(&here, self.item(address))),
            Planned::Engine(engine) => {
                let finding = entity::gathered_words(engine.name, engine.items.len());
                print(&entity::of_name(
                    &here,
                    engine.name,
                    Listed::Engines,
                    finding,
                    &engine.items,
                    Compared::Engine(engine),
                ))
            }
            Planned::Technique(technique) => {
                let items = self.gatherings.of_technique(technique);
                let finding = entity::gathered_words(technique.name(), items.len());
                print(&entity::of_name(
                    &here,
                    technique.name(),
                    Listed::Techniques,
                    finding,
                    items,
                    Compared::Technique(technique),
                ))
            }
            Planned::Unlisted(kind, name) => {
                let finding = "No entry has this name, so figures that need one are missing.".to_owned();
                print(&entity::of_name(
                    &here,
                    name.name,
                    Listed::Folder(self.folders.of_kind(kind)),
                    finding,
                    &name.items,
                    Compared::Unlisted(kind, name),
                ))
            }
            Planned::Redirect { new, .. } => print(&redirect::compose(&here, new)),
            Planned::Methodology => print(&methodology::compose(&here)),
            Planned::Glossary => print(&glossary::compose(&here)),
            Planned::Checks => print(&checks::compose(&here)),
            Planned::Disagreements => print(&disagreements::compose(&here)),
            Planned::Gaps => print(&gaps::compose(&here)),
            Planned::Corrections => print(&corrections::compose(&here)),
            Planned::NotFound => print(&not_found::compose(&here)),
            Planned::Compare => print(&compare::compose(&here)),
            Planned::DataDictionary => print(&data::compose(&here)),
            Planned::Comparisons(compared) => print(&comparisons::compose(&here, compared)),
            Planned::Schema(_, text) => text.as_bytes().to_vec(),
            Planned::Feed => print(&feed::compose(&here)),
            Planned::Sitemap => self.sitemap().into_bytes(),
            Planned::Card => CARD.to_vec(),
            Planned::Robots => self.robots().into_bytes(),
            Planned::NoJekyll => Vec::new(),
            Planned::Asset(asset) => self.assets.text(asset).as_bytes().to_vec(),
        };
        out.write_all(&whole)
    }

    /// The title of a page that may be cut.
    fn title(&self, planned: Planned) -> String {
        match planned {
            Planned::List(listed) => listed.title(),
            Planned::Record(address) => self.item(address).title().to_owned(),
            Planned::Engine(name) | Planned::Unlisted(_, name) => name.name.to_owned(),
            Planned::Technique(technique) => technique.name().to_owned(),
            Planned::Comparisons(compared) => compared.title(),
            Planned::Gaps => gaps::TITLE.to_owned(),
            Planned::Corrections => corrections::TITLE.to_owned(),
            _ => disagreements::TITLE.to_owned(),
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

    fn sitemap(&self) -> String {
        let page = |file: &File| {
            let path = self.route(*file).path().to_owned();
            let made = matches!(file.planned, Planned::Source(_) | Planned::Redirect { .. } | Planned::NotFound);
            path.ends_with(".html") && !made
        };
        let pages = self.plan().into_iter().filter(page).map(|file| self.route(file));
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
    shown(text)
}

fn shown(text: String) -> Vec<u8> {
    // A run record is published as its harness wrote it, and may hold what nobody sees.
    match visible(&text) {
        Cow::Owned(shown) => shown.into_bytes(),
        Cow::Borrowed(_) => text.into_bytes(),
    }
}
