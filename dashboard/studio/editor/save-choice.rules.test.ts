import { expect, test } from 'vitest'
import { changedContent, savedVersion } from './save-choice.rules.ts'

test('the button says the number that the text will have', () => {
  const versions = ['1.4.1', '1.4.0', '1.5.0']
  const numberOf = (kind: 'patch' | 'minor' | 'major' | 'own' | 'amend') =>
    savedVersion({ kind, ownVersion: ' 3.0.0-beta.1 ' }, '1.4.1', versions)
  expect(['patch', 'minor', 'major', 'own', 'amend'].map(kind => numberOf(kind as 'patch'))).toEqual([
    '1.4.2',
    '1.6.0',
    '2.0.0',
    '3.0.0-beta.1',
    '1.4.1',
  ])
})

test('only what differs is sent, with the ends of lines that it had', () => {
  const saved = { bodyMarkdown: 'a\r\nb', frontmatterText: 'x: 1\n' }
  const base = { text: '---\nx: 1\n---\n\na\nb', description: 'd', version: '1.0.0', updatedAt: '' }
  expect(changedContent(saved, base, base)).toEqual({})
  expect(changedContent(saved, base, { text: '---\nx: 1\n---\n\na\nc', description: 'd ' })).toEqual({
    bodyMarkdown: 'a\r\nc',
    description: 'd',
  })
  expect(changedContent(saved, base, { text: '---\nx: 2\n---\n\na\nb', description: 'd' })).toEqual({
    frontmatterText: 'x: 2\n',
  })
  expect(changedContent(saved, base, { text: '---\nx: 2', description: 'd' })).toBeUndefined()
})
