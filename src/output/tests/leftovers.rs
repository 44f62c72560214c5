//! What a killed process leaves at each moment, and what the next claim makes of it.

use super::*;

#[test]
fn of_writing_are_removed() {
    let root = Root::new();
    root.build(OLD).expect("published");
    root.put(".public.site-lock", "");
    root.put(".public.site-staging/owner", "");
    root.put(".public.site-staging/new/runs/a.html", "half");
    root.put(".public.site-staging/new/.site-manifest", "results-site mani");
    drop(root.claim("public").expect("repaired"));
    assert_eq!(root.tree("public"), tree(OLD));
    assert_eq!(root.names(), CLEAN);
}

#[test]
fn of_the_first_moment_are_removed() {
    let root = Root::new();
    root.build(OLD).expect("published");
    fs::create_dir(root.path(".public.site-staging")).expect("made");
    drop(root.claim("public").expect("repaired"));
    assert_eq!(root.names(), CLEAN);
}

/// The leftovers of a swap: `staged` sites at their places, then `at_target` as the published one.
fn swapped(staged: &[(&str, &[(&str, &str)])], at_target: Option<&[(&str, &str)]>) -> Root {
    let root = Root::new();
    root.put(".public.site-staging/owner", "");
    for (place, site) in staged {
        let other = Root::new();
        other.build(site).expect("published");
        fs::rename(other.path("public"), root.path(".public.site-staging").join(place)).expect("moved");
    }
    if let Some(site) = at_target {
        let other = Root::new();
        other.build(site).expect("published");
        fs::rename(other.path("public"), root.path("public")).expect("moved");
    }
    root
}

fn becomes(root: &Root, site: &[(&str, &str)]) {
    drop(root.claim("public").expect("repaired"));
    assert_eq!(root.tree("public"), tree(site));
    assert_eq!(root.names(), CLEAN);
}

#[test]
fn before_the_exchange_keep_the_old_site() {
    becomes(&swapped(&[(NEW, NEXT)], Some(OLD)), OLD);
}

#[test]
fn after_the_exchange_keep_the_new_site() {
    becomes(&swapped(&[(NEW, OLD)], Some(NEXT)), NEXT);
}

#[test]
fn of_a_removal_that_was_cut_short_are_removed() {
    let root = swapped(&[(NEW, OLD)], Some(NEXT));
    fs::remove_dir_all(root.path(".public.site-staging/new/runs")).expect("removed");
    becomes(&root, NEXT);
    let root = swapped(&[(NEW, &[])], Some(NEXT));
    fs::remove_file(root.path(".public.site-staging/new/.site-manifest")).expect("removed");
    becomes(&root, NEXT);
}

#[test]
fn between_two_renames_put_the_old_site_back() {
    becomes(&swapped(&[("old", OLD), (NEW, NEXT)], None), OLD);
}

#[test]
fn after_two_renames_keep_the_new_site() {
    becomes(&swapped(&[("old", OLD)], Some(NEXT)), NEXT);
}

#[test]
fn of_somebody_else_are_refused_and_kept() {
    let root = Root::new();
    root.put(".public.site-staging/new/notes", "mine");
    assert_eq!(root.refusal("public"), "`ROOT/.public.site-staging` was not written by a build, which needs this name");
    let root = swapped(&[(NEW, OLD)], Some(NEXT));
    root.put(".public.site-staging/new/runs/notes", "mine");
    assert_eq!(
        root.refusal("public"),
        "output directory `ROOT/.public.site-staging/new` holds what no build has written: `runs/notes`"
    );
    assert!(root.path(".public.site-staging").join(OWNER).exists());
}
