import bidiModule from 'bidi-js'
import type { Fonts, Weight } from './fonts.ts'

/** A part of a line that one font draws from left to right. */
export type TextRun = { text: string; font: string }
type Part = TextRun & { level: number }

// what the package exports is the function itself, whatever its types say
const bidi = (bidiModule as unknown as typeof bidiModule.default)()
// written over or below the previous letter
const mark = /\p{M}/u
const rightToLeftLetter =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u

/**
 * The parts of a printable line in the order in which they are seen. In an Arabic or Hebrew part, the font
 * orders the letters of a word, and this function orders its words (Unicode, annex 9).
 */
export function runsOf(line: string, { fonts, fontOf }: Fonts, weight: Weight): TextRun[] {
  const isMixed = rightToLeftLetter.test(line)
  const levels = isMixed ? bidi.getEmbeddingLevels(line).levels : undefined
  const parts: Part[] = []
  let index = 0
  let wasSpace = false
  for (const letter of line) {
    const level = levels?.[index] ?? 0
    // pdfkit would order words from left to right
    const isSpace = level % 2 === 1 && letter === ' '
    const last = parts.at(-1)
    const codePoint = letter.codePointAt(0)!
    const isMarkOfLast = last && mark.test(letter) && fonts.get(last.font)!.hasGlyphForCodePoint(codePoint)
    const font = isMarkOfLast ? last.font : fontOf(codePoint, weight)!
    if (last && last.font === font && last.level === level && isSpace === wasSpace) last.text += letter
    else parts.push({ text: letter, font, level })
    wasSpace = isSpace
    index += letter.length
  }
  return isMixed ? inSeenOrder(parts) : parts
}

/** Reverses every sequence of parts of a level or higher, from the highest level to 1. */
function inSeenOrder(parts: Part[]): TextRun[] {
  const ordered = [...parts]
  for (let level = Math.max(...parts.map(part => part.level)); level > 0; level--)
    for (let from = 0; from < ordered.length; from++) {
      let to = from
      while (to < ordered.length && ordered[to]!.level >= level) to++
      if (to > from) ordered.splice(from, to - from, ...ordered.slice(from, to).reverse())
      from = to
    }
  return ordered.map(part => (part.level % 2 === 1 ? { ...part, text: mirrored(part.text) } : part))
}

/** Brackets face the other way. A text without letters has no direction for its font, so it is reversed here. */
function mirrored(text: string): string {
  const letters = Array.from(text, letter => bidi.getMirroredCharacter(letter) ?? letter)
  return (rightToLeftLetter.test(text) ? letters : letters.reverse()).join('')
}
