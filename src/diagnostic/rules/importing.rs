//! Rules of `site import`: files of other tools.

use super::rules;

rules! {
    /// A file is of no format that can be imported.
    IMPORT_UNKNOWN = Error "import/unknown", Files;
    bad "a spreadsheet";
    good "the JSON that the harness wrote";

    /// A model's config.json lacks what the size of its cache depends on, or says it in a way that is not known.
    IMPORT_CONFIG = Error "import/config", Files;
    why "An architecture that is guessed gives a number that is wrong.";
    bad "a config.json of a model type that is not in the list";
    good "the config.json of a model type that is";

    /// A file is recognised and is no result of its own.
    IMPORT_NO_RESULT = Error "import/no-result", Files;
    bad "a report of input and output tokens together, or a file that describes the server of others";
    good "the result itself";

    /// A file of a known format holds what the format does not.
    IMPORT_CONTENT = Error "import/content", Files;
    why "What cannot be read might be a result as well, and leaving it out would not be seen.";
    bad "a result with a line of something else below it";
    good "results alone";

    /// Neither a file nor the answers beside it say what no record can be without.
    IMPORT_OPEN = Error "import/open", Files;
    why "A value that is made up looks like one that was measured.";
    bad "a result of a load generator, which does not know the accelerator";
    good "the same beside an import.toml that names it";

    /// The answers to an import cannot be used.
    IMPORT_ANSWERS = Error "import/answers", Files;
    bad "an import.toml that fits its schema and cannot be read";
    good "[hardware]\naccelerator = \"H100 80GB SXM\"";
}
