import fc from 'fast-check'
import { XmlDocument } from 'libxml2-wasm'
import { expect, test } from 'vitest'
import { defined } from '#tests/support/elements.ts'
import { element, xmlDocument } from './xml.ts'

/** The text of the root element, as a parser reads it. */
function readBack(text: string): string {
  const document = XmlDocument.fromString(xmlDocument(element('root', text)))
  const { content } = document.root
  document.dispose()
  return content
}

/** The characters outside XML 1.0, production 2. */
function isForbidden(character: string): boolean {
  const code = defined(character.codePointAt(0))
  return (code < 0x20 && !'\t\n\r'.includes(character)) || code === 0xfffe || code === 0xffff
}

test('writes nested elements with attributes, and leaves out absent ones', () => {
  const amount = element('amount', '12.50', { currency: 'EUR', note: 'a "b" & <c>' })
  expect(xmlDocument(element('root', [amount, null, false, element('empty', [])]))).toBe(
    [
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<root>',
      '  <amount currency="EUR" note="a &quot;b&quot; &amp; &lt;c&gt;">12.50</amount>',
      '  <empty>',
      '  </empty>',
      '</root>',
      '',
    ].join('\n'),
  )
})

test('a parser reads any text back, with U+FFFD for the characters that XML forbids', () => {
  expect(readBack('\u0000\u0007\u001f\u007f\ufffe\uffff\ud800x')).toBe(
    '\ufffd\ufffd\ufffd\u007f\ufffd\ufffd\ufffdx',
  )
  expect(readBack(']]>\r\n\t\u0085\u2028😀')).toBe(']]>\r\n\t\u0085\u2028😀')
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1 }), text => {
      const allowed = [...text.toWellFormed()].map(one => (isForbidden(one) ? '\ufffd' : one)).join('')
      expect(readBack(text)).toBe(allowed)
    }),
  )
})
