import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import { fromBufferPromise } from 'yauzl'
import { changesOf } from './export.rules.ts'
import { findingsByFile, findingsOf, isMarkdown, nameInArchive } from './import.rules.ts'
import { zipOfFile } from './zip-of-file.ts'

const skill = { type: 'SKILL' as const, description: 'Writes notes', frontmatter: {}, color: null }

test('a Markdown file alone becomes an archive that others can read', async () => {
  const content = new TextEncoder().encode('# Años\n')
  const archive = await fromBufferPromise(Buffer.from(zipOfFile('años.md', content)), {})
  const entry = await new Promise<{ fileName: string; crc32: number; uncompressedSize: number }>(
    (resolve, reject) => {
      archive.on('error', reject)
      archive.on('entry', resolve)
      archive.readEntry()
    },
  )
  expect(entry).toMatchObject({
    fileName: 'años.md',
    uncompressedSize: content.length,
    crc32: crc32(content),
  })
})

test('an export says which keys move, what is cut, and when nothing changes', () => {
  expect(changesOf(skill, 'agent-skills')).toEqual([{ kind: 'nothing' }])
  const own = { ...skill, frontmatter: { license: 'MIT', model: 'sonnet', hooks: {} } }
  expect(changesOf(own, 'agent-skills')).toEqual([{ kind: 'keys', keys: ['model', 'hooks'] }])
  expect(changesOf(own, 'claude-code')).toEqual([{ kind: 'nothing' }])
  const long = { ...skill, description: '<'.repeat(1_025) }
  expect(changesOf(long, 'agent-skills').map(({ kind }) => kind)).toEqual([
    'description-cut',
    'description-marks',
  ])
  expect(changesOf({ ...skill, type: 'AGENT', description: ' ', color: 'red' }, 'claude-code')).toEqual([
    { kind: 'description-missing' },
    { kind: 'color' },
  ])
})

test('findings are shown by file, those of a refusal too', () => {
  expect(isMarkdown('A.MD')).toBe(true)
  expect(nameInArchive('a.markdown')).toBe('a.md')
  const found = findingsOf([
    { path: 'SKILL.md', code: 'key-unknown', message: 'x' },
    { path: '', code: 'type-unknown', message: 'y' },
    { path: 'SKILL.md', code: 'name-missing', message: 'z' },
  ])
  expect(findingsByFile(found).map(({ path, findings }) => [path, findings.length])).toEqual([
    ['SKILL.md', 2],
    [null, 1],
  ])
  expect(findingsOf(undefined)).toEqual([])
})
