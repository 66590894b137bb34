"""What the field knows, with its sources: YAML files in `data/`, typed loaders, and the matcher over all of them.

Where to look: one file a subject, `allergens`, `toxins`, `medications`, `conditions` (with prescription diets and
food groups), `symptoms`, `red_flags`, `vaccines`, `breeds`, `other_species`; what a text names `lexicon`; which archive
it belongs to `topic_words`; are the files sound `checks`; how a file is read and a line blamed `sheets`.
Words that tell which pet or what kind of question is meant: `pet_cues`, `question_cues`, `synonyms`, `vocabulary`.
"""
