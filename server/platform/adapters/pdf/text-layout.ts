import type { Fonts, Weight } from './fonts.ts'

const newLine = /\r\n?|[\u2028\u2029]/g
// zero-width characters, such as those that change the direction of text or select a variant of the previous
// character
const invisibleCharacters = /[\p{Cf}\p{Variation_Selector}]/gu
// spaces other than non-breaking ones, and control characters
const blank = /[[\p{Cc}\p{Zs}]--[\n\u00a0\u202f]]/gv

/** The text with `\ufffd` for characters that the fonts lack, and without invisible ones. */
export function printable(text: string, { fontOf }: Fonts, weight: Weight): string {
  const plain = text.replace(newLine, '\n').replace(invisibleCharacters, '').replace(blank, ' ')
  return Array.from(plain, letter =>
    letter === '\n' || fontOf(letter.codePointAt(0)!, weight) !== undefined ? letter : '\ufffd',
  ).join('')
}

/**
 * Breaks a text into lines of `width`; a word that is too long for a line is broken.
 *
 *
 * @param widthOf the width of a text, in the unit of `width`
 */
export function linesOf(text: string, width: number, widthOf: (letters: string) => number): string[] {
  return text.split('\n').flatMap(paragraph => wrapped(paragraph, width, widthOf))
}

function wrapped(paragraph: string, width: number, widthOf: (letters: string) => number): string[] {
  const lines: string[] = []
  let line = ''
  let used = 0
  const space = widthOf(' ')
  for (const word of paragraph.split(' ').filter(Boolean)) {
    for (const part of widthOf(word) > width ? broken(word, width, widthOf) : [word]) {
      const needed = widthOf(part)
      if (line !== '' && used + space + needed > width) {
        lines.push(line)
        line = ''
        used = 0
      }
      used += (line === '' ? 0 : space) + needed
      line += (line === '' ? '' : ' ') + part
    }
  }
  return [...lines, line]
}

const letters = new Intl.Segmenter('und', { granularity: 'grapheme' })

function broken(word: string, width: number, widthOf: (letters: string) => number): string[] {
  const parts: string[] = []
  let part = ''
  let used = 0
  for (const { segment } of letters.segment(word)) {
    const needed = widthOf(segment)
    if (part !== '' && used + needed > width) {
      parts.push(part)
      part = ''
      used = 0
    }
    part += segment
    used += needed
  }
  return [...parts, part]
}
