import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { extractText, getDocumentProxy, getMeta } from 'unpdf'
import { describe, expect, test } from 'vitest'
import { atLeast, defined, only } from '#tests/support/elements.ts'
import { makePdf, type PdfBlock, type PdfDocument } from './pdf.ts'

const paper = (...blocks: PdfBlock[]): PdfDocument => ({
  title: 'Offer 1',
  author: 'Harbour Books',
  language: 'es',
  at: '2026-01-02T03:04:05.678Z',
  foot: 'Offer 1 · Harbour Books',
  blocks,
})
const columns = [{ title: 'What' }, { title: 'Amount', isFigure: true }]

/** The text of each page, word by word. */
async function pagesOf(document: PdfDocument): Promise<string[]> {
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(await makePdf(document))))
  return text.map(page => page.replace(/\s+/g, ' '))
}

describe('a document', () => {
  test('has the same bytes for the same input, and other bytes otherwise', async () => {
    const given = paper({ kind: 'subject', text: 'Offer' }, { kind: 'text', text: 'Ánimas' })
    const first = await makePdf(given)
    expect(first.subarray(0, 8).toString()).toBe('%PDF-1.7')
    expect((await makePdf(structuredClone(given))).equals(first)).toBe(true)
    for (const other of [
      { ...given, at: '2026-01-02T03:04:06.000Z' },
      { ...given, foot: 'Other' },
      { ...given, title: 'Other' },
    ])
      expect((await makePdf(other)).equals(first)).toBe(false)
  })

  test('has the same bytes regardless of earlier documents in the process', async () => {
    const given = paper({ kind: 'subject', text: 'Title' }, { kind: 'text', text: 'დოკუმენტი ﬄ 1' })
    // glyphs that stand for several characters here, and for one of them in the document
    const others = paper({ kind: 'text', text: 'დ\u0301ო\u0301 ffl' }, { kind: 'subject', text: 'T\u0301' })
    // a process of its own, so that no other test of this one came first
    const program = `
      const { makePdf } = await import('#platform/adapters/pdf.ts')
      const [given, ...before] = JSON.parse(process.env.DOCUMENTS)
      for (const document of before) await makePdf(document)
      process.stdout.write((await makePdf(given)).toString('base64'))`
    const bytesAfter = async (...before: PdfDocument[]) => {
      const env = { ...process.env, DOCUMENTS: JSON.stringify([given, ...before]) }
      const child = promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], { env })
      return Buffer.from((await child).stdout, 'base64')
    }
    const [alone, after] = await Promise.all([bytesAfter(), bytesAfter(others)])
    expect(alone.length).toBeGreaterThan(1_000)
    expect(after.equals(alone)).toBe(true)
  })

  test('has a title, an author and a creation time', async () => {
    const pdf = await getDocumentProxy(new Uint8Array(await makePdf(paper())))
    const { info } = await getMeta(pdf)
    expect(info).toMatchObject({
      Title: 'Offer 1',
      Author: 'Harbour Books',
      Language: 'es',
      CreationDate: 'D:20260102030405Z',
      ModDate: 'D:20260102030405Z',
    })
  })

  test('has texts, columns, tables, totals and pictures in order', async () => {
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==',
      'base64',
    )
    const [page] = await pagesOf(
      paper(
        { kind: 'head', sender: 'Harbour Books', title: 'Offer', number: '1', facts: [['Day', 'Monday']] },
        { kind: 'banner', text: 'Not yet valid' },
        {
          kind: 'beside',
          columns: [
            ['From', 'Harbour Books'],
            ['To', 'Vitrina'],
          ],
          picture: { image: png, widthMm: 30, caption: 'Look here' },
        },
        { kind: 'heading', text: 'Phase 1' },
        { kind: 'note', text: 'What we do first' },
        {
          kind: 'table',
          columns,
          rows: [
            [{ text: 'Diseño', note: 'in colour' }, '100,00 €'],
            ['', ''],
          ],
        },
        {
          kind: 'totals',
          rows: [
            ['Base', '100,00 €'],
            ['Total', '121,00 €'],
          ],
        },
        { kind: 'facts', heading: 'Payment', rows: [['IBAN', 'ES91']] },
        { kind: 'text', text: 'One.\r\n\r\nTwo.' },
      ),
    )
    expect(page).toBe(
      'Harbour Books Offer 1 Day Monday Not yet valid From Harbour Books To Vitrina Look here Phase 1 ' +
        'What we do first What Amount Diseño 100,00 € in colour Base 100,00 € Total 121,00 € Payment IBAN ES91 ' +
        'One. Two. Offer 1 · Harbour Books Página 1 de 1',
    )
  })

  test('repeats the head of a table on each page, and numbers the pages', async () => {
    const rows = Array.from({ length: 120 }, (_, n) => [`Row ${n}`, `${n},00`])
    const pages = await pagesOf(paper({ kind: 'table', columns, rows }, { kind: 'text', text: 'After it' }))
    expect(pages.length).toBeGreaterThan(2)
    for (const [n, page] of pages.entries()) {
      expect(page).toMatch(/^What Amount Row/)
      expect(page).toMatch(new RegExp(`Offer 1 · Harbour Books Página ${n + 1} de ${pages.length}$`))
    }
    const all = [...pages.join(' ').matchAll(/Row (\d+)/g)].map(([, n]) => Number(n))
    expect(all).toEqual(rows.map((_, n) => n))
    // what follows the table has no head over it
    const after = await pagesOf(
      paper({ kind: 'table', columns, rows: rows.slice(0, 1) }, { kind: 'text', text: 'x\n'.repeat(200) }),
    )
    expect(after.filter(page => page.includes('What Amount'))).toHaveLength(1)
  })

  test('keeps a row together if a page can hold it', async () => {
    const note = 'tall\n'.repeat(13).trim()
    const rows = Array.from({ length: 12 }, (_, n) => [{ text: `Row ${n}`, note }, '1'])
    const pages = await pagesOf(paper({ kind: 'table', columns, rows }))
    for (const page of pages)
      expect(defined(page.match(/tall/g)).length).toBe(defined(page.match(/Row/g)).length * 13)
    // one that no page has room for goes on
    const [first, second] = atLeast(
      2,
      await pagesOf(
        paper({ kind: 'table', columns, rows: [[{ text: 'Row', note: 'tall\n'.repeat(100).trim() }, '1']] }),
      ),
    )
    expect(defined(first.match(/tall/g)).length + defined(second.match(/tall/g)).length).toBe(100)
  })
})

describe('any text', () => {
  /** How far to the right anything is written, in points; a page is 595 wide with 48 at its edges. */
  async function rightmost(document: PdfDocument): Promise<number> {
    const pdf = await getDocumentProxy(new Uint8Array(await makePdf(document)))
    const { items } = await (await pdf.getPage(1)).getTextContent()
    return Math.max(...items.map(item => ('str' in item ? item.transform[4] + item.width : 0)))
  }

  test('supports many languages, and marks missing characters', async () => {
    const text = 'Łódź Ελλάδα Москва 100 € ≤ 漢语 かな カナ 한글 🦖 नमः \u{10400}.'
    const [page] = await pagesOf(paper({ kind: 'text', text }, { kind: 'subject', text }))
    const shown = text.replace('\u{10400}', '\ufffd')
    expect(page).toContain(`${shown} ${shown}`)
  })

  test.each([
    ['Hebrew', 'שלום עולם', ['עולם', 'שלום']],
    ['Arabic', 'مرحبا بالعالم', ['بالعالم', 'مرحبا']],
    ['Hebrew beside figures and brackets', 'abc (שלום) 12', ['abc', '(שלום)', '12']],
    ['Hebrew first, with figures and brackets', 'שלום (12) abc', ['abc', '(12)', 'שלום']],
  ])('is written from right to left: %s', async (_, text, seen) => {
    const pdf = await getDocumentProxy(new Uint8Array(await makePdf(paper({ kind: 'text', text }))))
    const { items } = await (await pdf.getPage(1)).getTextContent()
    const lefts = seen.map(word => {
      const found = items.find(item => 'str' in item && item.str.includes(word.replace(/[()]/g, '')))
      return found && 'str' in found ? found.transform[4] : undefined
    })
    expect(lefts).toEqual(lefts.toSorted((a, b) => a - b))
    expect(lefts).not.toContain(undefined)
  })

  test('cannot control the layout', async () => {
    const [page] = await pagesOf(paper({ kind: 'text', text: 'a\u0000b\u001bc\u202ed\u00ade\tf\u2028g' }))
    expect(page).toContain('a b cde f g')
    // but for spaces that keep words together
    const words = `${'x'.repeat(60)} 100\u00a0€`.repeat(8)
    const pdf = await getDocumentProxy(new Uint8Array(await makePdf(paper({ kind: 'text', text: words }))))
    const { items } = await (await pdf.getPage(1)).getTextContent()
    expect(items.some(item => 'str' in item && item.str.startsWith('€'))).toBe(false)
  })

  test('keeps characters before variation selectors', async () => {
    const [page] = await pagesOf(paper({ kind: 'text', text: 'ჰ\ufe0f\u20e3 then ჰ and ჟ\u{e0100} then ჟ' }))
    expect(page).toMatch(/^ჰ\S* ?then ჰ and ჟ then ჟ /)
  })

  test('breaks long words without losing a letter', async () => {
    const word = 'W'.repeat(1_000)
    const given = paper({ kind: 'text', text: `before ${word} after` })
    const page = only(await pagesOf(given))
    expect(page.replaceAll(' ', '')).toContain(`before${word}after`)
    expect(await rightmost(given)).toBeLessThan(548)
    const table = paper({ kind: 'table', columns, rows: [[word, `${'9'.repeat(200)}`]] })
    expect(await rightmost(table)).toBeLessThan(548)
  })

  test('of any characters becomes a document', async () => {
    const text = fc.string({ unit: 'binary', maxLength: 300 })
    await fc.assert(
      fc.asyncProperty(text, text, async (a, b) => {
        const rows = [[{ text: a, note: b }, b]]
        const made = paper(
          { kind: 'head', sender: a, title: b, number: a, facts: [[a, b]] },
          { kind: 'banner', text: b },
          { kind: 'facts', heading: b, rows: [[b, a]] },
          { kind: 'beside', columns: [[a, b], [b]] },
          { kind: 'table', columns, rows },
          { kind: 'totals', rows: [[a, b]] },
        )
        const pages = await pagesOf({ ...made, title: a, foot: b })
        expect(pages.at(-1)).toContain(`Página ${pages.length} de ${pages.length}`)
      }),
      { numRuns: 60 },
    )
  })
})
