//! Rules of how a text is written: JSON, YAML, TOML, front matter, Markdown.

use super::rules;

rules! {
    /// The text is not JSON.
    JSON_SYNTAX = Error "json/syntax", Run;
    why "Readers differ in what they make of comments, lines of a log, and numbers that are none.";
    bad "\"runs\": 2, // of the same config\n\"summary\": null";
    good "\"runs\": 2,\n\"summary\": null";

    /// A key stands twice in one object.
    JSON_DUPLICATE_KEY = Error "json/duplicate-key", Run;
    why "Readers keep one of the two values and say nothing of the other.";
    bad r#""runs": 2, "runs": 3"#;
    good r#""runs": 2"#;

    /// A text holds a character that cannot be seen, or that turns the direction of others.
    FILE_CHARACTER = Error "file/character", Model;
    why "Such characters hide what a text says; in a page they can stand for nothing.";
    bad r#""title": "A\u0000model""#;
    good r#""title": "A model""#;

    /// Objects and lists are nested deeper than any record is.
    FILE_DEPTH = Error "file/depth", Run;
    bad r#""spec": {"a": [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]}"#;
    good r#""spec": {"a": [[]]}"#;

    /// A Markdown file does not begin with front matter.
    FRONT_MATTER_MISSING = Error "front-matter/missing", Page;
    bad "Text without a title.";
    good "---\ntitle: A page\n---\nText.";

    /// The front matter of a file has no end.
    FRONT_MATTER_UNCLOSED = Error "front-matter/unclosed", Page;
    bad "---\ntitle: A page\nText.";
    good "---\ntitle: A page\n---\nText.";

    /// The front matter is not YAML.
    YAML_SYNTAX = Error "yaml/syntax", Page;
    bad "---\ntitle: A page: about it\n---";
    good "---\ntitle: \"A page: about it\"\n---";

    /// A key stands twice in one map of the front matter.
    YAML_DUPLICATE_KEY = Error "yaml/duplicate-key", Page;
    bad "---\ntitle: One\ntitle: Two\n---";
    good "---\ntitle: One\n---";

    /// A value means different things to different readers of YAML.
    YAML_AMBIGUOUS = Error "yaml/ambiguous", Page;
    why "To some readers 010 is ten and to others eight.";
    bad "---\ntitle: A page\nweight: 010\n---";
    good "---\ntitle: A page\nweight: 10\n---";

    /// The front matter uses anchors, aliases, tags, merge keys or further documents.
    YAML_UNSUPPORTED = Error "yaml/unsupported", Page;
    why "Every value has one place in the file, which is where its figures lead.";
    bad "---\ntitle: &name A page\ndescription: *name\n---";
    good "---\ntitle: A page\ndescription: A page\n---";

    /// The settings in site.toml are not TOML.
    TOML_SYNTAX = Error "toml/syntax", Settings;
    bad "lang = ";
    good "lang = \"en\"";

    /// A key stands twice in one table of site.toml.
    TOML_DUPLICATE_KEY = Error "toml/duplicate-key", Settings;
    bad "lang = \"en\"\nlang = \"de\"";
    good "lang = \"en\"";

    /// A number in site.toml is not finite, or too large to hold.
    TOML_NUMBER = Error "toml/number", Settings;
    bad "hours_per_month = inf";
    good "hours_per_month = 730";

    /// A link or an image leads to what may not stand in a page: code, another host's image, an unknown scheme.
    MARKDOWN_DESTINATION = Error "markdown/destination", Body;
    bad "[read](javascript:alert(1))";
    good "[read](https://example.org/)";

    /// An entity in Markdown stands for a character that cannot be seen, or that turns the direction of others.
    MARKDOWN_CHARACTER = Error "markdown/character", Body;
    bad "left&#x202e;right";
    good "left right";

    /// HTML in Markdown is shown as the text it is.
    MARKDOWN_RAW_HTML = Warning "markdown/raw-html", Body;
    bad "Line one<br>line two.";
    good "Write `<br>` in code.";

    /// A row of a table has more or fewer cells than its header.
    MARKDOWN_TABLE_CELLS = Warning "markdown/table-cells", Body;
    why "The cells beyond the header would be dropped without a word.";
    bad "| flag | effect |\n|---|---|\n| `--a | b` | none |";
    good "| flag | effect |\n|---|---|\n| `--a \\| b` | none |";

    /// Quotes, lists and emphasis are nested deeper than browsers draw.
    MARKDOWN_TOO_DEEP = Error "markdown/too-deep", Body;
    bad "> > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > > text";
    good "> > text";

    /// A line of Markdown is longer than can be read in bounded time.
    MARKDOWN_LONG_LINE = Error "markdown/long-line", Files;
    bad "a paragraph of 100,000 characters on one line";
    good "the same paragraph on lines of 100 characters";
}
