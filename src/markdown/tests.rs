//! What a body says is kept, what would run is not.

use std::collections::{HashMap, HashSet};

use proptest::prelude::*;

use super::*;

fn html(body: &str) -> String {
    Markdown::parse(body, 0).to_html(&|destination| destination.replace(".md", ".html")).as_str().trim_end().to_owned()
}

fn messages(body: &str) -> Vec<String> {
    Markdown::parse(body, 0).problems().iter().map(|problem| problem.message.clone()).collect()
}

#[test]
fn headings_begin_below_the_title_skip_no_level_and_get_an_id() {
    assert_eq!(html("## Limits"), "<h2 id=\"section:limits\">Limits</h2>");
    for (written, levels) in [
        (&[1, 2][..], &[2, 3][..]),
        (&[2, 4, 3, 2], &[2, 3, 3, 2]),
        (&[3, 2], &[2, 2]),
        (&[1, 2, 3, 4, 5, 6], &[2, 3, 4, 5, 6, 6]),
    ] {
        let body: String = written.iter().map(|level| format!("{} a\n", "#".repeat(*level))).collect();
        let shown = html(&body);
        let shown = shown.split("<h").skip(1).map(|rest| rest[..1].parse::<usize>().expect("a level"));
        assert_eq!(shown.collect::<Vec<_>>(), levels, "{body}");
    }
}

#[test]
fn heading_ids_are_unique_and_never_empty() {
    let markdown = Markdown::parse("# Same\n## Same\n# `p99` *TTFT*\n# 缓存\n# !!!\n", 0);
    let ids: Vec<&str> = markdown.headings().iter().map(|heading| heading.id.as_str()).collect();
    assert_eq!(ids[..4], ["section:same", "section:same-2", "section:p99-ttft", "section:缓存"]);
    assert_eq!(ids[4].len(), "section:".len() + 8);
    assert_eq!((markdown.headings()[1].level, markdown.headings()[2].text.as_str()), (3, "p99 TTFT"));
}

#[test]
fn fragments_find_their_heading() {
    let markdown = Markdown::parse("# Not covered\n# Μνήμη\n", 0);
    assert_eq!(markdown.heading_id("not-covered"), Some("section:not-covered"));
    assert_eq!(markdown.heading_id("section:not-covered"), Some("section:not-covered"));
    assert_eq!(markdown.heading_id("%CE%BC%CE%BD%CE%AE%CE%BC%CE%B7"), Some("section:μνήμη"));
    assert_eq!(markdown.heading_id("no-such-part"), None);
}

#[test]
fn attributes_on_headings_are_text() {
    assert_eq!(
        html("# H {#a onclick=alert(1)}"),
        "<h2 id=\"section:h-a-onclick-alert-1\">H {#a onclick=alert(1)}</h2>"
    );
}

#[test]
fn links_are_listed_with_their_place_in_the_file() {
    let body = "see [a](../b/y.md#capacity), <https://x.example>, <me@x.example>\n\n![p](p.png) [f](figure:kv_ratio)";
    let markdown = Markdown::parse(body, 100);
    let links: Vec<(&str, LinkKind)> =
        markdown.links().iter().map(|link| (link.destination.as_str(), link.kind)).collect();
    assert_eq!(
        links,
        [
            ("../b/y.md#capacity", LinkKind::Local),
            ("https://x.example", LinkKind::External),
            ("mailto:me@x.example", LinkKind::External),
            ("figure:kv_ratio", LinkKind::Figure),
        ]
    );
    assert_eq!(markdown.links()[0].span, 104..127);
    assert_eq!(markdown.images()[0].destination, "p.png");
    assert_eq!(markdown.problems(), []);
}

#[test]
fn only_addresses_of_the_site_are_resolved() {
    let resolved = |body| {
        Markdown::parse(body, 0).to_html(&|destination| format!("R({destination})")).as_str().trim_end().to_owned()
    };
    assert_eq!(resolved("[x](a.md)"), "<p><a href=\"R(a.md)\">x</a></p>");
    assert_eq!(resolved("![x](a.png)"), "<p><img src=\"R(a.png)\" alt=\"x\" /></p>");
    assert_eq!(resolved("[x](https://y.example)"), "<p><a href=\"https://y.example\">x</a></p>");
    assert_eq!(resolved("<me@x.example>"), "<p><a href=\"mailto:me@x.example\">me@x.example</a></p>");
}

#[test]
fn what_resolving_gives_is_checked_too() {
    let html = Markdown::parse("[x](a.md)", 0).to_html(&|_| "javascript:alert(1)".to_owned());
    assert_eq!(html.as_str(), "<p>x</p>\n");
}

#[test]
fn forbidden_destinations_are_named_and_leave_their_text() {
    for body in [
        "[x](javascript:alert(1))",
        "[x](JaVaScRiPt:alert(1))",
        "[x](&#106;avascript:alert(1))",
        "[x](javascript&colon;alert(1))",
        "[x](<java\tscript:alert(1)>)",
        "[x][r]\n\n[r]: javascript:alert(1)",
    ] {
        assert_eq!(html(body), "<p>x</p>", "{body}");
        assert_eq!(messages(body), ["link to `javascript:`, expected http, https, mailto or a path of the site"]);
    }
    assert_eq!(html("<javascript:alert(1)>"), "<p>javascript:alert(1)</p>");
    assert_eq!(html("[x](data:text/html,hi)"), "<p>x</p>");
    assert_eq!(html("[x](//y.example)"), "<p>x</p>");
    assert_eq!(html("[![a](data:image/png,x)](a.md)"), "<p><a href=\"a.html\">a</a></p>");
    assert_eq!(html("[![a](a.png)](data:x)"), "<p><img src=\"a.png\" alt=\"a\" /></p>");
    assert_eq!(messages("![a](https://y.example/a.png)"), ["image to another place, expected a path of the site"]);
}

#[test]
fn a_problem_has_its_place_in_the_file() {
    let markdown = Markdown::parse("ab [x](data:y)", 10);
    assert_eq!(markdown.problems()[0].span, 13..24);
    assert_eq!(markdown.problems()[0].rule.severity, crate::diagnostic::Severity::Error);
    assert_eq!(markdown.links(), []);
}

#[test]
fn raw_html_is_text_and_warned_about() {
    assert_eq!(html("<script>alert(1)</script>"), "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>");
    assert_eq!(html("a <b onclick=x>c</b>"), "<p>a &lt;b onclick=x&gt;c&lt;/b&gt;</p>");
    assert_eq!(html("<!-- a -->\n\nb"), "<p>&lt;!-- a --&gt;\n</p>\n<p>b</p>");
    assert_eq!(messages("a <b>c</b>").len(), 2);
    assert_eq!(messages("<div>\n<p>\n</div>"), ["HTML is shown as the text it is, expected Markdown"]);
    assert_eq!(messages("a < b, `<b>` and 3 <8"), [""; 0]);
}

#[test]
fn tables_align_by_class_and_scroll_in_a_box() {
    assert_eq!(
        html("|a|b|c|\n|:-|-:|-|\n|1|2|3|\n|4|5|6|"),
        "<div class=\"table-scroll\" role=\"group\" aria-label=\"table\" tabindex=\"0\"><table>\
         <thead><tr><th scope=\"col\" class=\"align-left\">a</th><th scope=\"col\" class=\"align-right\">b</th>\
         <th scope=\"col\">c</th></tr></thead><tbody>\n\
         <tr><td class=\"align-left\">1</td><td class=\"align-right\">2</td><td>3</td></tr>\n\
         <tr><td class=\"align-left\">4</td><td class=\"align-right\">5</td><td>6</td></tr>\n\
         </tbody></table></div>"
    );
}

#[test]
fn rows_of_another_length_than_the_header_are_warned_about() {
    let body = "| flag | effect |\n|---|---|\n| `--a | b` | x |\n| `--a \\| b` | x |\n| only |\n";
    let markdown = Markdown::parse(body, 0);
    assert_eq!(messages(body), ["3 cells, header has 2", "1 cell, header has 2"]);
    assert_eq!(&body[markdown.problems()[0].span.clone()].trim_end(), &"| `--a | b` | x |");
    assert_eq!(messages("> - | a | b |\n>   |---|---|\n>   | 1 | 2 | 3 |"), ["3 cells, header has 2"]);
}

#[test]
fn code_keeps_a_language_that_can_be_a_class() {
    assert_eq!(html("```JSON\n<b>\n```"), "<pre tabindex=\"0\"><code class=\"language-json\">&lt;b&gt;\n</code></pre>");
    for info in ["a\"onclick=x", "<b>", "é", "a_b"] {
        assert_eq!(html(&format!("```{info}\nx\n```")), "<pre tabindex=\"0\"><code>x\n</code></pre>", "{info}");
    }
}

#[test]
fn footnotes_are_numbered_and_their_ids_cannot_meet_others() {
    assert_eq!(
        html("a[^x] b[^1] c[^x]\n\n[^1]: one\n[^x]: ex\n[^z]: alone"),
        "<p>a<sup class=\"footnote-reference\"><a href=\"#note:1\" id=\"note:1:back\">1</a></sup> \
         b<sup class=\"footnote-reference\"><a href=\"#note:2\" id=\"note:2:back\">2</a></sup> \
         c<sup class=\"footnote-reference\"><a href=\"#note:1\">1</a></sup></p>\n\
         <div class=\"footnote-definition\" id=\"note:2\"><sup><a href=\"#note:2:back\">2</a></sup> \n<p>one</p>\n</div>\n\
         <div class=\"footnote-definition\" id=\"note:1\"><sup><a href=\"#note:1:back\">1</a></sup> \n<p>ex</p>\n</div>\n\
         <div class=\"footnote-definition\" id=\"note:3\"><sup>3</sup> \n<p>alone</p>\n</div>"
    );
}

#[test]
fn extensions_that_are_on() {
    assert_eq!(html("~~a~~"), "<p><del>a</del></p>");
    assert_eq!(html("- [x] a\n- [ ] b"), "<ul>\n<li>☑ a</li>\n<li>☐ b</li>\n</ul>");
    assert_eq!(html("TTFT\n: time"), "<dl>\n<dt>TTFT</dt>\n<dd>time</dd>\n</dl>");
    assert_eq!(
        html("> [!WARNING]\n> a"),
        "<blockquote class=\"markdown-alert-warning\">\n<p class=\"markdown-alert-title\">Warning</p>\n<p>a</p>\n</blockquote>"
    );
}

#[test]
fn extensions_that_are_off() {
    assert_eq!(html("$0.29 against $0.45"), "<p>$0.29 against $0.45</p>");
    assert_eq!(html("H~2~O 2^10^"), "<p>H~2~O 2^10^</p>");
}

#[test]
fn ampersands_are_escaped_once() {
    assert_eq!(html("R&D &amp; <= 2 \"s\""), "<p>R&amp;D &amp; &lt;= 2 \"s\"</p>");
}

#[test]
fn deep_nesting_is_refused_and_dropped() {
    for body in [
        "> ".repeat(30_000),
        format!("{}a", "- ".repeat(30_000)),
        "1. ".repeat(20_000),
        (0..300).map(|level| format!("{}- a\n", "  ".repeat(level))).collect(),
        format!("{}a{}", "*a ".repeat(1_000), " b*".repeat(1_000)),
    ] {
        let markdown = Markdown::parse(&body, 0);
        let rules: Vec<&str> = markdown.problems().iter().map(|problem| problem.rule.code).collect();
        assert_eq!(rules, ["markdown/too-deep"], "{}", &body[..20]);
        assert_eq!(markdown.to_html(&|_| String::new()).as_str(), "");
    }
    assert_eq!(messages(&format!("{}a", "> ".repeat(50))), [""; 0]);
}

#[test]
fn very_long_lines_are_refused_with_their_place() {
    let body = format!("a\n{}\nb", "[a](<b ".repeat(10_000));
    let markdown = Markdown::parse(&body, 10);
    assert_eq!(markdown.problems()[0].message, "line of 70001 bytes, expected at most 65536");
    assert_eq!(markdown.problems()[0].span, 12..70_013);
    assert_eq!(Markdown::parse(&"[a](<b\n".repeat(10_000), 0).problems(), []);
}

/// An independent sanitiser that knows the elements of ours finds nothing to take away.
fn sanitised(html: &str) -> String {
    let attributes = ["class", "id", "tabindex", "role", "aria-label", "scope"];
    ammonia::Builder::new()
        .tags(HashSet::from([
            "p",
            "h2",
            "h3",
            "h4",
            "h5",
            "h6",
            "a",
            "img",
            "pre",
            "code",
            "blockquote",
            "sup",
            "div",
            "table",
            "thead",
            "tbody",
            "tr",
            "th",
            "td",
            "ul",
            "ol",
            "li",
            "dl",
            "dt",
            "dd",
            "em",
            "strong",
            "del",
            "br",
            "hr",
        ]))
        .generic_attributes(HashSet::from(attributes))
        .tag_attributes(HashMap::from([
            ("a", HashSet::from(["href", "title"])),
            ("img", HashSet::from(["src", "alt", "title"])),
            ("ol", HashSet::from(["start"])),
        ]))
        .url_schemes(HashSet::from(["http", "https", "mailto"]))
        .url_relative(ammonia::UrlRelative::PassThrough)
        .link_rel(None)
        .clean(html)
        .to_string()
}

/// HTML without the differences between two serialisers of one document.
fn normalised(html: &str) -> String {
    html.replace(" />", ">").replace("&quot;", "\"").replace("&#x27;", "'").replace('\u{a0}', "&nbsp;")
}

fn assert_safe(body: &str) {
    let rendered = html(body);
    assert_eq!(normalised(&sanitised(&rendered)), normalised(&rendered), "from {body:?}");
}

#[test]
fn hostile_bodies_come_out_inert() {
    for body in [
        "<script>alert(1)</script>",
        "</script></td>--><img src=x onerror=alert(1)>",
        "<svg onload=alert(1)>",
        "a <img src=x onerror=alert(1)> b",
        "<a href=\"javascript:alert(1)\">x</a>",
        "<style>*{display:none}</style>",
        "<iframe srcdoc=\"<script>alert(1)</script>\">",
        "[x](javascript:alert(1))",
        "[x](https://y.example/\"onmouseover=\"alert(1))",
        "[x](<https://y.example/\" onmouseover=\"alert(1)>)",
        "[x](a.md \"t\\\" onclick=alert(1) x=\\\"\")",
        "[x](a.md 't\" onclick=\"alert(1)')",
        "![\" onerror=\"alert(1)](a.png)",
        "![<script>](a.png \"<script>\")",
        "![a[^1] ~~b~~ `c\"d`](a.png)\n\n[^1]: x",
        "```\" onclick=alert(1)\nx\n```",
        "```json\"><script>\nx\n```",
        "# \"><script>alert(1)</script>",
        "# H {#a onclick=alert(1)}",
        "[^\"><script>]\n\n[^\"><script>]: x",
        "|<script>|\n|-|\n|<img onerror=x>|",
        "<https://y.example/\"onclick=alert(1)>",
        "<x@y.example\"onclick=alert(1)>",
        "`<script>`",
        "&lt;script&gt; &#60;script&#62;",
        "> [!NOTE]\n> <b onclick=x>",
        "- [x] <b onclick=x>",
        "<![CDATA[<script>]]> <?php x ?> <!DOCTYPE html>",
        "[x]: javascript:alert(1)\n\n[x] [y][x] ![z][x]",
    ] {
        assert_safe(body);
    }
}

proptest! {
    #[test]
    fn nothing_that_can_be_written_is_unsafe(
        parts in proptest::collection::vec(
            prop_oneof![
                "(<|>|\"|'|&|`|\\[|\\]|\\(|\\)|!|#|\\||-|\\*|_|~|:|\\^|\n|\n\n| |\\\\){1,4}",
                "(javascript:|data:|https://|//|<script>|<img src=x onerror=a>|onclick=a|a|1|```|&#106;|&colon;){1,3}",
            ],
            0..24,
        ),
    ) {
        // Two writers of one table may disagree over stray white space, never over what an element is.
        let rendered = html(&parts.concat());
        let squeeze = |html: &str| html.split_whitespace().collect::<String>();
        prop_assert_eq!(squeeze(&normalised(&sanitised(&rendered))), squeeze(&normalised(&rendered)));
    }
}

#[test]
fn the_text_of_a_link_may_have_data() {
    let html = |data: Option<(&'static str, &str)>| {
        let data = data.map(|(name, value)| (name, value.to_owned()));
        let markdown = Markdown::parse("[*$5*](figure:#a/b) [x](a.md)", 0);
        let html = markdown.to_html_with(&|_| "r".to_owned(), &|to| data.clone().filter(|_| to.starts_with("figure:")));
        html.as_str().trim_end().to_owned()
    };
    let rest = "<a href=\"r\">x</a></p>";
    assert_eq!(
        html(Some(("gpu", "0.5 0.6"))),
        format!("<p><a href=\"r\"><span data-gpu=\"0.5 0.6\"><em>$5</em></span></a> {rest}")
    );
    for none in [None, Some(("gpu", "\"><script>"))] {
        assert_eq!(html(none), format!("<p><a href=\"r\"><em>$5</em></a> {rest}"));
    }
}
