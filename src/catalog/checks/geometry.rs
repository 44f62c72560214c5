//! Layer groups of a model that must fit each other and the number of its layers.

use crate::diagnostic::{Diagnostic, Report, counted, rules};
use crate::record::Model;
use crate::record::model::{GroupKind, LayerGroup};
use crate::schema::Document;

/// Every layer is in a group, and what reads another group's cache leads to one that keeps a cache.
pub fn of_model(model: &Model, document: &Document, report: &mut Report) {
    layers_are_all_there(model, document, report);
    for (folder, groups) in [("groups", &model.groups), ("draft_groups", &model.draft_groups)] {
        for (position, group) in groups.iter().enumerate() {
            let Some(owner) = group.shares_with else { continue };
            let Some(fault) = no_owner(model, owner, folder == "groups" && owner == position) else { continue };
            let pointer = format!("/{folder}/{position}/shares_with");
            let message = format!("`shares_with` is {owner}: {fault}");
            report.push(
                Diagnostic::new(&rules::MODEL_SHARES_WITH, document.location(&pointer), message)
                    .pointer(pointer)
                    .help("name the group of `groups` that keeps the cache, counted from 0"),
            );
        }
    }
}

/// Why a group keeps no cache that another could read.
fn no_owner(model: &Model, owner: usize, itself: bool) -> Option<String> {
    match model.groups.get(owner).map(|group| group.kind) {
        None => Some(format!("the model has {}", counted(model.groups.len(), "group"))),
        Some(_) if itself => Some("that is this group itself".to_owned()),
        Some(GroupKind::Shared) => Some("that group reads another one's cache too".to_owned()),
        Some(GroupKind::None) => Some("that group keeps nothing".to_owned()),
        Some(_) => None,
    }
}

/// A layer may be in two groups, as one with attention and a state is, but in none it would keep a cache unseen.
fn layers_are_all_there(model: &Model, document: &Document, report: &mut Report) {
    let counted = model.groups.iter().filter(|group| !is_beside(group)).map(|group| group.layers);
    let grouped = counted.fold(0, u64::saturating_add);
    if grouped >= model.layers {
        return;
    }
    let message = format!("the model has {} layers, its groups {grouped}", model.layers);
    let mut problem = Diagnostic::new(&rules::MODEL_LAYERS, document.location("/layers"), message).pointer("/layers");
    if let Some(span) = document.spans.value("/groups") {
        problem = problem.related(span, "the groups");
    }
    report.push(
        problem.help("layers that keep nothing are a group of kind `none`; index keys and compressors count no layers"),
    );
}

/// Index keys and compressors belong to layers that another group counts.
fn is_beside(group: &LayerGroup) -> bool {
    matches!(group.kind, GroupKind::Index | GroupKind::Compressor)
}
