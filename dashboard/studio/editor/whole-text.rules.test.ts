import fc from 'fast-check'
import { expect, test } from 'vitest'
import { partsOf, wholeText, withEndsOf, withFrontMatter } from './whole-text.rules.ts'

test('the parts of a whole text are those that it was made of', () => {
  const yaml = fc.constantFrom('', 'a: 1\n', '# note\na: 1 # one\n\nb: |\n  ---\n')
  const body = fc.array(fc.constantFrom('---', '# T', '', 'text')).map(lines => lines.join('\n'))
  fc.assert(
    fc.property(yaml, body, (frontmatterText, bodyMarkdown) => {
      const whole = wholeText({ frontmatterText, bodyMarkdown })
      expect(partsOf(whole)).toEqual({ frontmatterText, bodyMarkdown })
    }),
  )
})

test('front matter without an end is none yet', () => {
  expect(partsOf('---\na: 1\n')).toBeUndefined()
  expect(withFrontMatter('---\na: 1\n', 'b: 2\n')).toBe('---\na: 1\n')
})

test('other front matter leaves the body as it is', () => {
  expect(withFrontMatter('# T\n', 'a: 1\n')).toBe('---\na: 1\n---\n\n# T\n')
  expect(withFrontMatter('---\na: 1\n---\n\n# T\n', '')).toBe('# T\n')
})

test('a text of Windows stays one', () => {
  expect(wholeText({ frontmatterText: 'a: 1\r\n', bodyMarkdown: 'b\r\nc' })).toBe('---\na: 1\n---\n\nb\nc')
  expect(withEndsOf('b\r\nc', 'b\nd')).toBe('b\r\nd')
  expect(withEndsOf('b\nc', 'b\nd')).toBe('b\nd')
})
