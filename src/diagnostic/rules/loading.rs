//! Rules of the first stage and the last: files, their names and addresses, the output.

use super::rules;

rules! {
    /// The folder content/ or site.toml is missing.
    FILE_MISSING = Error "file/missing", Files;
    bad "a root without site.toml";
    good "a root with site.toml and content/";

    /// A file cannot be read from the disk.
    FILE_IO = Error "file/io", Files;
    bad "content/runs/x.json without permission to read it";
    good "content/runs/x.json that its owner can read";

    /// A symbolic link stands in place of a file.
    FILE_LINK = Error "file/link", Files;
    why "A link can lead out of the root, and round in a circle.";
    bad "content/runs/x.json -> ../../elsewhere/x.json";
    good "content/runs/x.json, the file itself";

    /// A folder, pipe, socket or device stands in place of a file.
    FILE_SPECIAL = Error "file/special", Files;
    bad "site.toml, a folder";
    good "site.toml, a file";

    /// A file is larger than any result is.
    FILE_SIZE = Error "file/size", Files;
    why "Memory and time of a build stay bounded.";
    bad "content/pages/x.md of 20 MiB";
    good "content/pages/x.md of 20 KiB";

    /// There are more files than a site is built for.
    FILE_COUNT = Error "file/count", Files;
    bad "200,000 files in content/";
    good "10,000 files in content/";

    /// The name of a file is not UTF-8, or cannot stand in an address.
    FILE_NAME = Error "file/name", Files;
    bad r"static/a\b.png";
    good "static/a-b.png";

    /// A file under content/ is of no kind, so nothing is made of it.
    FILE_UNKNOWN = Warning "file/unknown", Files;
    why "A result whose name is misspelt would otherwise be left out without a word.";
    bad "content/runs/x.jsn";
    good "content/runs/x.json";

    /// A file is not in UTF-8.
    FILE_UTF_8 = Error "file/utf-8", Files;
    bad "the byte 0xe9 for é, as in ISO 8859-1";
    good "the bytes 0xc3 0xa9 for é";

    /// A file is in UTF-16 or UTF-32, expected UTF-8.
    FILE_ENCODING = Error "file/encoding", Files;
    bad "a file that begins with the bytes 0xff 0xfe";
    good "the same text saved as UTF-8";

    /// The name of a file cannot be part of a web address on every host and file system.
    ADDRESS_NAME = Error "address/name", Files;
    bad "content/runs/my result.json";
    good "content/runs/my-result.json";

    /// Two files have addresses that are one where upper and lower case do not count.
    ADDRESS_CASE = Error "address/case", Files;
    why "On some hosts and file systems one page would overwrite the other.";
    bad "content/runs/a.json and content/runs/A.json";
    good "content/runs/a.json and content/runs/b.json";

    /// The address of a record is that of a page the site makes itself.
    ADDRESS_RESERVED = Error "address/reserved", Files;
    bad "content/runs/index.json";
    good "content/runs/first.json";

    /// A file of static/ has the address of a page that the site makes.
    STATIC_CLASH = Error "static/clash", Files;
    bad "static/methodology.html";
    good "static/method.html";

    /// The new site stands, but the old one could not be removed.
    OUTPUT_LEFTOVER = Warning "output/leftover", Files;
    bad "a file beside the output that another user owns";
    good "an output folder that is the builder's own";
}
