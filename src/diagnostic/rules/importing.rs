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
}
