//! Directories that are not replaced, and stay as they are.

use super::*;

#[test]
fn sources_and_what_holds_them() {
    let root = Root::new();
    assert_eq!(root.refusal(""), "output directory `ROOT` is the root of the site");
    assert_eq!(root.refusal("."), "output directory `ROOT` is the root of the site");
    assert_eq!(root.refusal("content"), "output directory `ROOT/content` is the content folder");
    assert_eq!(
        root.refusal("content/runs/x"),
        "output directory `ROOT/content/runs/x` lies in the content folder `ROOT/content`"
    );
    assert_eq!(root.refusal("static/"), "output directory `ROOT/static` is the static folder");
    assert_eq!(
        root.refusal("schemas/x"),
        "output directory `ROOT/schemas/x` lies in the schemas folder `ROOT/schemas`"
    );
    assert_eq!(root.refusal("src"), "output directory `ROOT/src` is the source folder");
    assert_eq!(root.refusal("templates"), "output directory `ROOT/templates` is the templates folder");
    assert_eq!(root.refusal(".git/x"), "output directory `ROOT/.git/x` lies in the repository `ROOT/.git`");
    assert!(root.refusal("..").ends_with("holds the root of the site `ROOT`"));
    assert!(root.refusal("/").starts_with("output directory `/` holds the root of the site"));
}

#[test]
fn the_current_and_the_home_directory() {
    let root = Root::new();
    let refusal = |output: PathBuf| Claim::take(&root.path(""), &output).expect_err("refused").to_string();
    let current = std::env::current_dir().expect("known");
    assert!(refusal(current.clone()).ends_with("is the current directory"), "{}", refusal(current));
    let home = std::env::home_dir().expect("known");
    assert!(refusal(home.clone()).contains("the home directory"), "{}", refusal(home));
}

#[test]
fn ways_around_by_dots_and_links() {
    let root = Root::new();
    fs::create_dir(root.path("other")).expect("made");
    assert_eq!(root.refusal("other/../content"), "output directory `ROOT/content` is the content folder");
    assert_eq!(
        root.refusal("missing/../content"),
        "output directory `ROOT/missing/../content` goes up with `..` from a directory that does not exist"
    );
    symlink(root.path("content"), root.path("link")).expect("linked");
    let link = "output directory `ROOT/link` is a symbolic link, expected a directory";
    assert_eq!(root.refusal("link"), link);
    assert_eq!(root.refusal("link/"), link);
    assert_eq!(root.refusal("link/."), link);
    assert_eq!(
        root.refusal("link/new"),
        "output directory `ROOT/content/new` lies in the content folder `ROOT/content`"
    );
    symlink(root.path("nowhere"), root.path("dangling")).expect("linked");
    assert!(root.refusal("dangling").ends_with("is a symbolic link, expected a directory"));
}

#[test]
fn where_the_sources_are_linked_to() {
    let (root, elsewhere) = (Root::new(), Root::new());
    fs::remove_dir_all(root.path("static")).expect("removed");
    symlink(elsewhere.path("static"), root.path("static")).expect("linked");
    let output = elsewhere.path("static/public");
    let error = Claim::take(&root.path(""), &output).expect_err("refused");
    assert!(error.to_string().contains("lies in the static folder"), "{error}");
}

#[test]
fn inside_of_a_published_site() {
    let root = Root::new();
    root.build(OLD).expect("published");
    let refusal = "output directory `ROOT/public/sub` lies in a published site `ROOT/public`";
    assert_eq!(root.refusal("public/sub"), refusal);
    root.claim("public").expect("still ours alone");
}

#[test]
fn a_directory_that_no_build_has_written() {
    let root = Root::new();
    root.put("public/thesis.txt", "years of work");
    assert_eq!(
        root.refusal("public"),
        "output directory `ROOT/public` was not written by a build and is not empty: it holds `thesis.txt`"
    );
    fs::create_dir(root.path("empty")).expect("made");
    root.claim("empty").expect("an empty one is nobody's");
}

#[test]
fn foreign_files_folders_and_links_in_a_published_site() {
    let root = Root::new();
    root.build(OLD).expect("published");
    root.put("public/.git/HEAD", "ref");
    fs::create_dir(root.path("public/empty")).expect("made");
    root.put("public/runs/notes.txt", "mine");
    fs::remove_file(root.path("public/index.html")).expect("removed");
    symlink(root.path("site.toml"), root.path("public/index.html")).expect("linked");
    assert_eq!(
        root.refusal("public"),
        "output directory `ROOT/public` holds what no build has written: \
         `.git`, `empty`, `index.html`, `runs/notes.txt`"
    );
}

#[test]
fn a_foreign_file_that_appears_during_the_build() {
    let root = Root::new();
    root.build(OLD).expect("published");
    let mut claim = root.claim("public").expect("ours");
    let staging = Staging::begin(&mut claim).expect("begun");
    staging.write("index.html", |out| out.write_all(b"new")).expect("written");
    root.put("public/notes.txt", "mine");
    let error = staging.publish().expect_err("refused");
    assert!(error.to_string().ends_with("holds what no build has written: `notes.txt`"), "{error}");
    assert_eq!(fs::read_to_string(root.path("public/index.html")).expect("there"), "old");
    assert_eq!(fs::read_to_string(root.path("public/notes.txt")).expect("there"), "mine");
}

#[test]
fn a_manifest_that_was_forged_or_cut() {
    let root = Root::new();
    root.put("public/.site-manifest", "results-site manifest 1, files 7\n");
    assert_eq!(
        root.refusal("public"),
        "output directory `ROOT/public` has a manifest that cannot be read: it has 0 files, its first line says 7"
    );
    let line = format!("{} 6 ../site.toml", "0".repeat(64));
    root.put("public/.site-manifest", &format!("results-site manifest 1, files 1\n{line}\n"));
    assert!(root.refusal("public").contains("line 2: path `../site.toml`"));
}

#[test]
fn a_file_or_a_link_to_nothing_on_the_way() {
    let root = Root::new();
    assert_eq!(root.refusal("site.toml"), "output directory `ROOT/site.toml` is a file, expected a directory");
    symlink(root.path("nowhere"), root.path("dangling")).expect("linked");
    symlink(root.path("loop"), root.path("loop")).expect("linked");
    for (output, file) in [("site.toml/x", "site.toml"), ("dangling/x/y", "dangling"), ("loop/x", "loop")] {
        let expected = format!("output directory `ROOT/{output}` lies below `ROOT/{file}`, which is no directory");
        assert_eq!(root.refusal(output), expected);
    }
}

#[test]
fn names_that_the_build_needs() {
    let root = Root::new();
    root.put(".public.site-lock", "notes");
    assert_eq!(root.refusal("public"), "`ROOT/.public.site-lock` was not written by a build, which needs this name");
}
