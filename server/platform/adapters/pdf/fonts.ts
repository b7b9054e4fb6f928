import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Font, Glyph } from 'fontkit'
import { sfntOfWoff } from './woff.ts'

export type Weight = 'plain' | 'bold'
/** The fonts of one document. */
export type Fonts = {
  /** By name. */
  fonts: ReadonlyMap<string, Font>
  /** The name of the font for a character; undefined if no font has it. */
  fontOf(codePoint: number, weight: Weight): string | undefined
}
type FontFile = { path: string; hasCodePoint(codePoint: number): boolean }

const resolve = createRequire(import.meta.url).resolve
const weights: readonly Weight[] = ['plain', 'bold']

/** A package whose fonts are split into files by their characters, which `unicode.json` names. */
async function splitFont(name: string, numbers: Record<Weight, number>): Promise<Record<Weight, FontFile[]>> {
  const file = (path: string) => resolve(`@fontsource/${name}/${path}`)
  const ranges: Record<string, string> = JSON.parse(await readFile(file('unicode.json'), 'utf8'))
  const filesOf = (weight: Weight) =>
    Object.entries(ranges).map(([part, codePoints]) => ({
      path: file(`files/${name}-${part.replace(/[[\]]/g, '')}-${numbers[weight]}-normal.woff`),
      hasCodePoint: codePointTest(codePoints),
    }))
  return { plain: filesOf('plain'), bold: filesOf('bold') }
}

/** `U+0-ff,U+131` */
function codePointTest(ranges: string): (codePoint: number) => boolean {
  const bounds = ranges.split(',').map(range => {
    const [first, last] = range
      .trim()
      .slice(2)
      .split('-')
      .map(text => Number.parseInt(text, 16))
    return [first!, last ?? first!] as const
  })
  return codePoint => bounds.some(([first, last]) => codePoint >= first && codePoint <= last)
}

const wholeFont = (name: string): FontFile => ({
  path: resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`),
  hasCodePoint: () => true,
})

/** The files in which a character is looked for, in this order. */
async function listFiles(): Promise<Record<Weight, FontFile[]>> {
  const families = await Promise.all([
    // Latin, Greek, Cyrillic, Devanagari
    splitFont('noto-sans', { plain: 400, bold: 700 }),
    splitFont('noto-emoji', { plain: 400, bold: 700 }),
    // among others Arabic, Hebrew, Georgian and Armenian
    { plain: [wholeFont('DejaVuSans')], bold: [wholeFont('DejaVuSans-Bold')] },
    // Chinese and Japanese, then Korean: the smallest packages with them, which have one weight
    splitFont('chocolate-classical-sans', { plain: 400, bold: 400 }),
    splitFont('gowun-dodum', { plain: 400, bold: 400 }),
  ])
  return {
    plain: families.flatMap(family => family.plain),
    bold: families.flatMap(family => family.bold),
  }
}

let files: Promise<Record<Weight, FontFile[]>> | undefined
const opened = new Map<string, Promise<Font>>()

/** The fonts for one document with these texts. A file is read for the first document that needs it. */
export async function loadFonts(text: string): Promise<Fonts> {
  files ??= listFiles()
  const filesOf = await files
  const fonts = new Map<string, Font>()
  const names = { plain: new Map<number, string>(), bold: new Map<number, string>() }
  for (const codePoint of new Set(Array.from(`${text}\ufffd`, letter => letter.codePointAt(0)!)))
    for (const weight of weights)
      for (const { path, hasCodePoint } of filesOf[weight]) {
        if (!hasCodePoint(codePoint)) continue
        const font = await openFont(path)
        if (!font.hasGlyphForCodePoint(codePoint)) continue
        if (!fonts.has(path)) fonts.set(path, forOneDocument(font))
        names[weight].set(codePoint, path)
        break
      }
  return { fonts, fontOf: (codePoint, weight) => names[weight].get(codePoint) }
}

function openFont(path: string): Promise<Font> {
  let font = opened.get(path)
  if (!font) {
    font = readFont(path)
    opened.set(path, font)
  }
  return font
}

async function readFont(path: string): Promise<Font> {
  const { create } = await import('fontkit')
  const bytes = await readFile(path)
  const font = create(path.endsWith('.woff') ? sfntOfWoff(bytes) : bytes) as Font
  // all views share the result of this first lookup
  font.hasGlyphForCodePoint(0x20)
  return font
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
