//! Folders of records: what each holds in the order of its list, and what the `index.md` in it says.

use std::collections::BTreeMap;

use crate::catalog::{Catalog, Item, folder_of};
use crate::markdown::Html;
use crate::route::Route;
use crate::source::Kind;

use super::frame::{Here, Link, source_route};
use super::gathering::Gatherings;
use super::list;
use super::prose;
use super::record::kind_title;

/// Every folder with a list, by its path.
#[derive(Debug)]
pub struct Folders<'a>(BTreeMap<String, Folder<'a>>);

#[derive(Debug)]
pub struct Folder<'a> {
    /// Path under `content/`.
    pub path: String,
    pub kind: Kind,
    /// The `index.md` in it.
    pub collection: Option<&'a Item>,
    /// Records in it and below it: those that the collection names, then newest first.
    pub items: Vec<&'a Item>,
}

impl<'a> Folders<'a> {
    /// The folders of all kinds that have a list, and those that have records or a collection inside them.
    pub fn of(catalog: &'a Catalog, gatherings: &Gatherings<'a>) -> Self {
        let mut folders = BTreeMap::new();
        for kind in Kind::ALL.into_iter().filter(|kind| !matches!(kind, Kind::CuratorNote | Kind::Page)) {
            folder(&mut folders, kind.folder(), kind);
            for item in gatherings.list(kind) {
                for path in above(&item.address) {
                    folder(&mut folders, path, kind).items.push(item);
                }
            }
        }
        for item in catalog.of_kind(Kind::Collection) {
            let Some(kind) = Kind::of_folder(&item.address) else { continue };
            for path in above(&item.address) {
                let found = folder(&mut folders, path, kind);
                if path == folder_of(&item.address) {
                    found.collection = Some(item);
                }
            }
        }
        folders.values_mut().for_each(Folder::put_in_order);
        Folders(folders)
    }

    pub fn of_kind(&self, kind: Kind) -> &Folder<'a> {
        self.0.get(kind.folder()).expect("every kind with a list has its folder")
    }

    /// The folder that a record or a folder lies in.
    pub fn around(&self, path: &str) -> Option<&Folder<'a>> {
        self.0.get(folder_of(path))
    }

    /// Folders inside those of the kinds.
    pub fn nested(&self) -> impl Iterator<Item = &Folder<'a>> {
        self.0.values().filter(|folder| folder.is_nested())
    }

    /// Folders right inside one.
    fn inside(&self, path: &str) -> impl Iterator<Item = &Folder<'a>> {
        self.0.values().filter(move |folder| folder_of(&folder.path) == path)
    }
}

/// The folders that a path lies in, the nearest first.
fn above(path: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(folder_of(path)), |path| Some(folder_of(path))).take_while(|path| !path.is_empty())
}

fn folder<'m, 'a>(folders: &'m mut BTreeMap<String, Folder<'a>>, path: &str, kind: Kind) -> &'m mut Folder<'a> {
    folders.entry(path.to_owned()).or_insert_with(|| Folder {
        path: path.to_owned(),
        kind,
        collection: None,
        items: Vec::new(),
    })
}

impl Folder<'_> {
    fn put_in_order(&mut self) {
        let Some((folder, collection)) = self.collection.and_then(Item::collection) else { return };
        let places = collection.order.iter().enumerate();
        let places: BTreeMap<_, _> = places.map(|(place, entry)| (format!("{folder}/{entry}"), place)).collect();
        self.items.sort_by_key(|item| places.get(&item.address).copied().unwrap_or(usize::MAX));
    }

    /// Whether there is nothing to say of it.
    pub fn is_bare(&self) -> bool {
        self.items.is_empty() && self.collection.is_none()
    }

    pub fn is_nested(&self) -> bool {
        self.path != self.kind.folder()
    }

    /// As its collection calls it, else as its kind is called, or by its path.
    pub fn title(&self) -> &str {
        match self.collection {
            Some(collection) => collection.title(),
            None if self.is_nested() => &self.path,
            None => kind_title(self.kind),
        }
    }

    /// What it holds, in a sentence.
    pub fn introduction(&self) -> &str {
        let said = self.collection.and_then(Item::summary);
        said.unwrap_or_else(|| list::introduction(self.kind))
    }

    pub fn link(&self, here: &Here) -> Link {
        Link { text: self.title().to_owned(), href: Some(here.to(&Route::folder(&self.path))) }
    }
}

/// What stands around the list of a folder.
#[derive(Debug, Default)]
pub struct Introduction {
    /// The folder that this one lies in.
    pub around: Option<Link>,
    pub body: Option<Html>,
    /// Folders right inside it, with the number of their records.
    pub inside: Vec<Link>,
    /// The file that introduces it.
    pub source: Option<Link>,
}

pub fn introduction(here: &Here, folder: &Folder) -> Introduction {
    let folders = &here.site.folders;
    let inside = folders.inside(&folder.path).map(|inner| {
        let link = inner.link(here);
        Link { text: format!("{} ({})", link.text, inner.items.len()), ..link }
    });
    let source = folder
        .collection
        .map(|item| Link { text: item.document.text.path.clone(), href: Some(here.to(&source_route(&item.document))) });
    Introduction {
        around: folders.around(&folder.path).map(|around| around.link(here)),
        body: folder.collection.and_then(|item| prose::body(here, item)),
        inside: inside.collect(),
        source,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_lies_in_its_folder_and_in_those_above() {
        assert_eq!(above("runs/2026/l4/a").collect::<Vec<_>>(), ["runs/2026/l4", "runs/2026", "runs"]);
        assert_eq!(above("runs/a").collect::<Vec<_>>(), ["runs"]);
        assert_eq!(above("runs").count(), 0);
    }
}
