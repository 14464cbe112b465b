// @ts-check
/** Reads the search field of a list: key:value for each filter, and the rest as text. */

/**
 * @param {string} text such as "actor:ops since:2h kernel"
 * @param {string[]} keys the filters that the list has, besides text
 * @returns {Record<string, string | null>} a value for each filter; null where none is given
 */
export function parse(text, keys) {
  /** @type {Record<string, string | null>} */
  const values = Object.fromEntries([...keys, 'text'].map((key) => [key, null]));
  const rest = [];
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const [, key, value] = /^(\w+):(.*)$/.exec(word) ?? [];
    if (key && keys.includes(key)) values[key] = value;
    else rest.push(word);
  }
  values.text = rest.join(' ') || null;
  return values;
}

/** The text that stands for the filters of an address. @param {URLSearchParams} search @param {string[]} keys */
export function print(search, keys) {
  const words = keys.filter((key) => search.get(key)).map((key) => `${key}:${search.get(key)}`);
  return [...words, search.get('text') ?? ''].filter(Boolean).join(' ');
}

/** The filters of an address. @param {URLSearchParams} search @param {string[]} keys */
export const selected = (search, keys) => Object.fromEntries([...keys, 'text'].map((key) => [key, search.get(key)]));
