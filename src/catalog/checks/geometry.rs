//! Layer groups of a model that must fit each other and the number of its layers.

use crate::diagnostic::{Diagnostic, Report, counted, rules};
use crate::record::Model;
use crate::record::model::{GroupKind, LayerGroup};
use crate::schema::Document;

/// Every layer is in a group and in no more than it can be, query heads share KV heads evenly, and what reads another
/// group's cache leads to one that keeps a cache.
pub fn of_model(model: &Model, document: &Document, report: &mut Report) {
    layers_are_all_there(model, document, report);
    no_layer_is_twice_there(model, document, report);
    for (folder, groups) in [("groups", &model.groups), ("draft_groups", &model.draft_groups)] {
        for (position, group) in groups.iter().enumerate() {
            heads_divide(model, group, &format!("/{folder}/{position}/kv_heads"), document, report);
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

/// A layer keeps one thing of a kind: K and V of its own or another's, a state, an encoder's, index keys. Latents and
/// compressors may be two: LongCat attends twice in a layer, and DeepSeek-V4 keeps a window beside its entries.
const KINDS: [(&str, &[GroupKind], u64); 6] = [
    ("K and V", &[GroupKind::Full, GroupKind::Window, GroupKind::Chunk, GroupKind::Shared], 1),
    ("a state", &[GroupKind::State], 1),
    ("K and V of an encoder", &[GroupKind::Cross], 1),
    ("index keys", &[GroupKind::Index], 1),
    ("latents", &[GroupKind::Latent], 2),
    ("compressors", &[GroupKind::Compressor], 2),
];

fn no_layer_is_twice_there(model: &Model, document: &Document, report: &mut Report) {
    let of = |kinds: &[GroupKind]| {
        let groups = model.groups.iter().filter(|group| kinds.contains(&group.kind));
        groups.map(|group| group.layers).fold(0, u64::saturating_add)
    };
    let nothing = of(&[GroupKind::None]);
    for (words, kinds, most) in KINDS {
        let grouped = of(kinds);
        if grouped.div_ceil(most).saturating_add(nothing) <= model.layers {
            continue;
        }
        let besides = if nothing > 0 { format!(", beside {nothing} that keep nothing") } else { String::new() };
        let each = if most > 1 { " even two in each" } else { "" };
        let message =
            format!("the model has {} layers, which cannot hold{each} {words} in {grouped}{besides}", model.layers);
        let mut problem =
            Diagnostic::new(&rules::MODEL_LAYERS, document.location("/layers"), message).pointer("/layers");
        if let Some(span) = document.spans.value("/groups") {
            problem = problem.related(span, "the groups");
        }
        report
            .push(problem.help("count each layer once among those that keep K and V; draft layers are `draft_groups`"));
    }
}

/// Each KV head serves as many query heads as the others.
fn heads_divide(model: &Model, group: &LayerGroup, pointer: &str, document: &Document, report: &mut Report) {
    let (Some(queries), Some(heads)) = (model.attention_heads, group.kv_heads) else { return };
    if heads > 0 && queries.is_multiple_of(heads) {
        return;
    }
    let message = format!("{heads} KV heads for {queries} query heads, which do not share them evenly");
    let mut problem = Diagnostic::new(&rules::MODEL_HEADS, document.location(pointer), message).pointer(pointer);
    if let Some(span) = document.spans.value("/attention_heads") {
        problem = problem.related(span, "the query heads");
    }
    report.push(problem.help("`kv_heads` are those of the whole model, and no more than its `attention_heads`"));
}

/// Index keys and compressors belong to layers that another group counts.
fn is_beside(group: &LayerGroup) -> bool {
    matches!(group.kind, GroupKind::Index | GroupKind::Compressor)
}
