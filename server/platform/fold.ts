const accents = /[\u0300-\u036f]/g
const others = /[ßøđłæœþðıħŋĸſ]/g
const plain: Record<string, string> = {
  ß: 'ss',
  ø: 'o',
  đ: 'd',
  ł: 'l',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ð: 'd',
  ı: 'i',
  ħ: 'h',
  ŋ: 'n',
  ĸ: 'k',
  ſ: 's',
}

/**
 * The text in lower case without accents, for slugs, sorting by name and search: `Año Œuvre` → `ano oeuvre`.
 * Letters of other alphabets stay as they are.
 */
export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(accents, '')
    .toLowerCase()
    .replace(others, letter => plain[letter]!)
    .normalize('NFC')
}

/** The folded words of a text: runs of letters and digits, each cut to `longest` characters. */
export function wordsOf(text: string, longest = 64): string[] {
  const words = fold(text).match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
  return words.map(word => word.slice(0, longest))
}

/** The key for comparing and sorting names: folded, and cut to the size of an index entry. */
export function foldedName(name: string): string {
  return [...fold(name)].slice(0, 255).join('')
}
