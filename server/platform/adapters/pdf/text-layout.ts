import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Font, Glyph } from 'fontkit'

export type Fonts = { plain: Font; bold: Font }

let loaded: Promise<Fonts> | undefined

/** The fonts for one document. The files are read once, for the first document. */
export async function loadFonts(): Promise<Fonts> {
  loaded ??= Promise.all(['DejaVuSans', 'DejaVuSans-Bold'].map(openFont)).then(([plain, bold]) => ({
    plain: plain!,
    bold: bold!,
  }))
  const { plain, bold } = await loaded
  return { plain: forOneDocument(plain), bold: forOneDocument(bold) }
}

/**
 * A view of a font for one document. A font remembers for each glyph the characters of its first use, and a
 * document stores them as the text of that glyph: a shared font would return those of an earlier document.
 */
function forOneDocument(font: Font): Font {
  const glyphs = new Map<number, Glyph>()
  return Object.create(font, {
    getGlyph: {
      value(id: number, codePoints: number[] = []): Glyph {
        let glyph = glyphs.get(id)
        if (!glyph) {
          glyph = Object.create(font.getGlyph(id), { codePoints: { value: codePoints } }) as Glyph
          glyphs.set(id, glyph)
        }
        return glyph
      },
    },
  })
}

async function openFont(name: string): Promise<Font> {
  const { create } = await import('fontkit')
  const path = createRequire(import.meta.url).resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`)
  const font = create(await readFile(path)) as Font
  // all views share the result of this first lookup
  font.hasGlyphForCodePoint(0x20)
  return font
}

const newLine = /\r\n?|[\u2028\u2029]/g
// zero-width characters, such as those that change the direction of text or select a variant of the previous
// character
const invisibleCharacters = /[\p{Cf}\p{Variation_Selector}]/gu
// spaces other than non-breaking ones, and control characters
const blank = /[[\p{Cc}\p{Zs}]--[\n\u00a0\u202f]]/gv

/** The text with `\ufffd` for characters that the font lacks, and without invisible ones. */
export function printable(text: string, font: Font): string {
  const plain = text.replace(newLine, '\n').replace(invisibleCharacters, '').replace(blank, ' ')
  return Array.from(plain, letter =>
    letter === '\n' || font.hasGlyphForCodePoint(letter.codePointAt(0)!) ? letter : '\ufffd',
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
