//! Addresses: names that the site keeps for itself, and files and aliases that would be written over a page.

use super::list::Listed;

use super::{Planned, Site};
use crate::catalog::Item;
use crate::diagnostic::{Diagnostic, Location, Report, printable, rules};
use crate::route::{Places, Route, reserved_name};
use crate::schema::Document;
use crate::source::address_fault;

/// An old address, the new one, and where that is said.
pub struct Alias<'a> {
    pub document: &'a Document,
    /// JSON pointer in `document`.
    pub pointer: String,
    pub old: &'a str,
    pub new: &'a str,
}

impl<'a> Site<'a> {
    /// Old addresses: of records, then of the site.
    pub fn aliases(&self) -> impl Iterator<Item = Alias<'_>> {
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
}

/// What stands at a path.
enum Standing<'a> {
    Made(Planned<'a>),
    /// A file of the root's `static/`.
    Static,
}

/// Reports records with an address of the site's own, files of `static/` and aliases that stand where something else
/// does, and aliases that are no addresses.
pub fn check(site: &Site, report: &mut Report) {
    for item in site.catalog.items() {
        // What introduces a folder is its list; the folder itself may still have a name of ours.
        let own = item.collection().map_or_else(|| item.address.clone(), |(folder, _)| format!("{folder}/-"));
        if let Some(reason) = reserved_name(&own) {
            let at = item.document.location("");
            report.push(Diagnostic::new(&rules::ADDRESS_RESERVED, at, reason).help("rename the file"));
        }
    }
    let mut places = Places::default();
    for file in site.plan().into_iter().filter(|file| !matches!(file.planned, Planned::Redirect { .. })) {
        places.take(site.route(file).path(), Standing::Made(file.planned));
    }
    for path in &site.static_files {
        let file = format!("static/{path}");
        match clash(site, &places, &format!("`{}`", printable(&file)), path) {
            Some(message) => report.push(
                Diagnostic::new(&rules::STATIC_CLASH, Location::File(file), message)
                    .help("rename it: only a built-in file such as `robots.txt` can be replaced, under its own name"),
            ),
            None => places.take(path, Standing::Static),
        }
    }
    for alias in site.aliases() {
        let Alias { document, pointer, old, new } = &alias;
        let problem = match path_of(old) {
            Ok(path) => match clash(site, &places, &format!("the alias `{}`", printable(old)), &path) {
                Some(message) => (message, "drop the alias: what stands at an address cannot lead away from it".into()),
                None => {
                    places.take(&path, Standing::Made(Planned::Redirect { old, new }));
                    continue;
                }
            },
            Err(problem) => problem,
        };
        report.push(
            Diagnostic::new(&rules::ALIAS_ADDRESS, document.key_location(pointer), problem.0)
                .pointer(pointer)
                .help(problem.1),
        );
    }
}

/// The path of the page at an old address, or why there is none and what to do.
fn path_of(old: &str) -> Result<String, (String, String)> {
    if let Some(fault) = address_fault(old.strip_suffix(".html").unwrap_or(old)) {
        return Err((fault.reason, fault.help.to_owned()));
    }
    let refused = |refused: crate::route::UnsafePath| (refused.to_string(), "write it as `runs/old-name`".to_owned());
    Route::alias(old).map(|route| route.path().to_owned()).map_err(refused)
}

/// That something would be written over what stands already at a path, or in its way.
fn clash(site: &Site, places: &Places<Standing>, what: &str, path: &str) -> Option<String> {
    let (other, standing) = places.in_the_way(path)?;
    let standing = match standing {
        Standing::Made(planned) => described(site, *planned),
        Standing::Static => format!("`static/{}`", printable(other)),
    };
    let other = printable(other);
    Some(if other == path {
        format!("{what} would be written over {standing}")
    } else if other.to_lowercase() == path.to_lowercase() {
        format!("{what} would be written over {standing}, which is at `{other}`, where case does not count")
    } else if other.len() < path.len() {
        format!("{what} needs a folder where {standing} is, at `{other}`")
    } else {
        format!("{what} is where a folder must be for {standing}, at `{other}`")
    })
}

/// What a planned file is, with the content that it is made from.
fn described(site: &Site, planned: Planned) -> String {
    let file = |address| site.catalog.get(address).map_or(address, |item| &item.document.text.path);
    match planned {
        Planned::Home => "the home page".to_owned(),
        Planned::List(Listed::Folder(folder)) => format!("the list of `content/{}/`", folder.path),
        Planned::List(listed @ Listed::Narrowed(..)) => format!("the list `{}`", listed.title()),
        Planned::List(Listed::Engines) => "the list of engines".to_owned(),
        Planned::List(Listed::Techniques) => "the list of techniques".to_owned(),
        Planned::Record(address) => format!("the page of `{}`", file(address)),
        Planned::Figures(address) => format!("the page of figures of `{}`", file(address)),
        Planned::Data(address) => format!("the data of `{}`", file(address)),
        Planned::Drawing(address) => format!("the drawing of `{}`", file(address)),
        Planned::Source(document) => format!("the source view of `{}`", document.text.path),
        Planned::Engine(named) => format!("the page of the engine `{}`", printable(named.name)),
        Planned::Technique(technique) => format!("the page of the technique `{}`", technique.id()),
        Planned::Unlisted(_, named) => format!("the page of the name `{}`", printable(named.name)),
        Planned::Redirect { old, new } => format!("the alias `{}` of `{new}`", printable(old)),
        Planned::Methodology => "the methodology".to_owned(),
        Planned::Glossary => "the glossary".to_owned(),
        Planned::Checks => "the page of checks".to_owned(),
        Planned::Disagreements => "the page of stated numbers".to_owned(),
        Planned::Gaps => "the gap map".to_owned(),
        Planned::Corrections => "the page of corrections".to_owned(),
        Planned::NotFound => "the page shown for a missing address".to_owned(),
        Planned::DataIndex => "the index of the data".to_owned(),
        Planned::DataComparisons | Planned::ComparisonsScript => "the data of comparisons".to_owned(),
        Planned::SearchScript => "the data of the search".to_owned(),
        Planned::Compare => "the page that compares any results".to_owned(),
        Planned::DataDictionary => "the page about the data files".to_owned(),
        Planned::DataTable(kind, form) => format!("the figures of `content/{}/` as {}", kind.folder(), form.name()),
        Planned::Comparisons(compared) => format!("the comparisons of `{}`", printable(compared.name())),
        Planned::Schema(file, _) => format!("the schema `{file}`"),
        Planned::Feed => "the feed".to_owned(),
        Planned::Sitemap => "the sitemap".to_owned(),
        Planned::Card | Planned::Robots | Planned::NoJekyll | Planned::Asset(_) => "a built-in file".to_owned(),
    }
}
