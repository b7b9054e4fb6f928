import { createPublicKey, verify as verifySignature } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { limits } from '#contract/limits.ts'
import { installEntry, submitEntry } from '#contract/marketplace/entries.ts'
import { updateInstall } from '#contract/marketplace/installs.ts'
import { readInstall, readProvenanceKey } from '#contract/marketplace/provenance.ts'
import { updateAsset } from '#contract/studio/assets.ts'
import { listFiles, removeFile } from '#contract/studio/files.ts'
import { publishAsset } from '#contract/studio/lifecycle.ts'
import { openSigner } from '#platform/security/signer.ts'
import { defined, findIn, firstOf, only } from '#tests/support/elements.ts'
import { approveEntry, makeApprovedEntry } from '#tests/support/marketplace/marketplace.ts'
import { makeAsset } from '#tests/support/studio/assets.ts'
import { addFiles, sha256Of } from '#tests/support/studio/files.ts'
import { exportPackage, importPackage, reportOf, sendPackage } from '#tests/support/studio/packages.ts'
import { filesIn, zipOfFiles } from '#tests/support/studio/zip.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'
import { canonicalJson } from '../entries/digest.ts'
import { verify } from './verify-command.ts'

let server: TestServer
let home: Organization
let author: Person
let user: Person
let operator: Person
let folder: string
let keyFile: string
let keyId: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'patio-provenance-'))
  server = await startTestServer()
  home = await server.organization({ name: 'Hidden Company', features: ['marketplace'] })
  user = await (await server.organization({ features: ['marketplace'] })).person()
  operator = await server.operator()
  const published = await server.client().call(readProvenanceKey)
  keyId = only(published.keys).kid
  keyFile = write('key.json', JSON.stringify(published))
})
// the daily limit of submissions
beforeEach(async () => {
  author = await home.person({ role: 'ADMIN' })
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await server.close()
})

function write(name: string, content: string | Buffer): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

async function verified(...args: string[]): Promise<{ code: number; text: string }> {
  const reported: string[] = []
  const code = await verify(args, line => void reported.push(line))
  return { code, text: reported.join('\n') }
}

const asset = {
  type: 'SKILL' as const,
  name: 'Contract review',
  description: 'Reads contracts.',
  bodyMarkdown: 'Read it.\n',
  frontmatter: { license: 'MIT', n: [1, { b: 2, a: 1 }] },
} satisfies Given['asset']
type Given = NonNullable<Parameters<typeof makeApprovedEntry>[2]>
async function installed(options: Given = {}, customName?: string) {
  const entry = await makeApprovedEntry(operator, author, {
    asset,
    files: [
      ['references/a.md', 'A.'],
      ['scripts/run.sh', 'echo'],
    ],
    ...options,
  })
  const { installId, installedAssetId: id } = await user.call(installEntry, {
    params: { id: entry.id },
    body: { acknowledgeDisclaimer: true, ...(customName && { customName }) },
  })
  return { entry, installId, id }
}
const packaged = async (id: string, name = 'package.zip') => write(name, await exportPackage(user, id))
/** The package with changed or removed files. */
async function altered(id: string, change: (files: Record<string, Buffer>) => void): Promise<string> {
  const files = await filesIn(await exportPackage(user, id, { layout: 'flat' }))
  change(files)
  return write('altered.zip', zipOfFiles(files))
}

describe('an install', () => {
  test('has a statement without names, and a signature of its canonical form', async () => {
    const { entry, installId } = await installed()
    const { provenance } = await user.call(readInstall, { params: { id: installId } })
    expect(provenance).toEqual({
      statement: {
        format: 'patio-provenance/1',
        entryId: entry.id,
        type: 'SKILL',
        name: asset.name,
        version: '1.0.0',
        publisher: { displayName: 'Otra empresa', verified: false },
        releaseDigest: entry.digest,
        content: {
          description: sha256Of(asset.description),
          bodyMarkdown: sha256Of(asset.bodyMarkdown),
          frontmatter: sha256Of('{"license":"MIT","n":[1,{"a":1,"b":2}]}'),
        },
        files: [
          { path: 'references/a.md', size: 2, sha256: sha256Of('A.') },
          { path: 'scripts/run.sh', size: 4, sha256: sha256Of('echo') },
        ],
        submittedAt: entry.submittedAt,
        approvedAt: entry.approvedAt,
        decision: 'APPROVED',
      },
      signature: expect.any(String),
      keyId,
      publicKey: expect.any(String),
    })
    const { keys } = await server.client().call(readProvenanceKey)
    const key = createPublicKey({ key: only(keys), format: 'jwk' })
    const bytes = Buffer.from(canonicalJson(provenance.statement))
    expect(verifySignature(null, bytes, key, Buffer.from(provenance.signature, 'base64url'))).toBe(true)
    const text = JSON.stringify(provenance)
    for (const secret of [
      'Hidden Company',
      author.id,
      author.name,
      author.organizationId,
      user.id,
      user.organizationId,
    ])
      expect(text).not.toContain(secret)
  })

  test('names a publisher with a published name, like the catalogue', async () => {
    const home = await server.organization({ features: ['marketplace'] })
    await server.sql(
      `update organization set publisher_name = 'Good People', publisher_verified = true where id = $1`,
      [home.id],
    )
    const entry = await makeApprovedEntry(operator, await home.person({ role: 'ADMIN' }))
    const { installId } = await user.call(installEntry, {
      params: { id: entry.id },
      body: { acknowledgeDisclaimer: true },
    })
    const { provenance } = await user.call(readInstall, { params: { id: installId } })
    expect(provenance.statement.publisher).toEqual({ displayName: 'Good People', verified: true })
  })

  test('verifies the statement alone', async () => {
    const { installId } = await installed()
    const path = write(
      'install.json',
      JSON.stringify(await user.call(readInstall, { params: { id: installId } })),
    )
    const { code, text } = await verified(path, '--key', keyFile)
    expect([code, text]).toEqual([0, expect.stringContaining('were not compared')])
    expect((await verified(path, '--key', keyId)).code).toBe(0)
  })
})

test('the key is the same in every process, and another secret has another', async () => {
  const other = await server.anotherApi()
  expect(await server.client(undefined, other.url).call(readProvenanceKey)).toEqual(
    await server.client().call(readProvenanceKey),
  )
  const answer = await fetch(`${server.url}/.well-known/patio-provenance.json`)
  expect(await answer.json()).toMatchObject({ keys: [{ kty: 'OKP', crv: 'Ed25519', kid: keyId }] })
  expect(openSigner('another secret that is long enough!').keyId).not.toBe(keyId)
})

describe('a package', () => {
  test('contains the statement, has the same bytes each time, and is valid', async () => {
    const { id, installId } = await installed()
    const zip = await exportPackage(user, id)
    expect(await exportPackage(user, id)).toEqual(zip)
    const files = await filesIn(await exportPackage(user, id, { layout: 'flat' }))
    const { provenance } = await user.call(readInstall, { params: { id: installId } })
    expect(JSON.parse(String(files['provenance.json']))).toEqual(provenance)
    const { code, text } = await verified(write('whole.zip', zip), '--key', keyFile)
    expect([code, text]).toEqual([0, expect.stringContaining('Everything holds.')])
    for (const options of [{ layout: 'flat' }, { profile: 'claude-code' }] as const)
      expect(
        (await verified(write('o.zip', await exportPackage(user, id, options)), '--key', keyId)).code,
      ).toBe(0)
    const bare = await filesIn(await exportPackage(user, id, { sidecar: false }))
    expect(Object.keys(bare).filter(path => path.includes('provenance'))).toEqual([])
  })

  test.each(['PROMPT', 'SKILL', 'AGENT', 'COMMAND', 'PLUGIN'] as const)(
    'of a %s is verified too',
    async type => {
      const frontmatter = type === 'PLUGIN' ? { name: 'x', keywords: ['a'] } : { license: 'MIT' }
      const { id } = await installed({ asset: { ...asset, type, frontmatter } })
      expect((await verified(await packaged(id), '--key', keyFile)).text).toContain('Everything holds.')
    },
  )

  test('that is too large to be imported is verified too', async () => {
    const { id } = await installed({ files: [['zeros.bin', new Uint8Array(limits.packageFileBytes + 1)]] })
    const zip = await exportPackage(user, id)
    expect((await sendPackage(user, zip)).status).toBe(413)
    expect((await verified(write('large.zip', zip), '--key', keyFile)).text).toContain('Everything holds.')
  })

  test('under another name is still the release, which is reported', async () => {
    const { id } = await installed({}, 'My review')
    const { code, text } = await verified(await packaged(id), '--key', keyFile)
    expect([code, text]).toEqual([0, expect.stringContaining('The package is named "My review".')])
  })

  test('of a changed copy reports the differences', async () => {
    const { id } = await installed()
    const params = { id, version: 'current' }
    const first = firstOf((await user.call(listFiles, { params })).items)
    await user.call(updateAsset, { params: { id }, body: { bodyMarkdown: 'Mine.' } })
    const { items } = await user.call(listFiles, { params })
    await user.call(removeFile, {
      params: { ...params, fileId: findIn(items, file => file.path === first.path).id },
    })
    await addFiles(user, id, [['mine.md', 'm']])
    const { code, text } = await verified(await packaged(id), '--key', keyFile)
    expect(code).toBe(1)
    expect(text).toContain('NOT  The body was changed.')
    expect(text).toContain('NOT  The file "references/a.md" is missing.')
    expect(text).toContain('NOT  The file "mine.md" was added.')
    expect(text).toContain('ok   The statement is signed')
    expect(text).not.toContain('description was changed')
  })

  test('contains the statement of its version', async () => {
    const { entry, id, installId } = await installed()
    const before = await exportPackage(user, id, { version: '1.0.0' })
    await author.call(updateAsset, {
      params: { id: defined(entry.assetId) },
      body: { bodyMarkdown: 'Newer.' },
    })
    await author.call(publishAsset, { params: { id: defined(entry.assetId) } })
    await author.call(submitEntry, {
      body: { assetId: defined(entry.assetId), category: 'OTHER', acceptPolicy: true },
    })
    await approveEntry(operator, author, entry)
    await user.call(updateInstall, { params: { id: installId } })
    expect(await exportPackage(user, id, { version: '1.0.0' })).toEqual(before)
    const { text } = await verified(await packaged(id), '--key', keyFile)
    expect(text).toContain('"Contract review" 1.0.1')
    expect(text).toContain('Everything holds.')
  })

  test('is imported without it, and an attachment of that name stays one', async () => {
    const { id } = await installed({ files: [['provenance.json', '{"mine":true}']] })
    const zip = await exportPackage(user, id, { layout: 'flat' })
    expect(Object.keys(await filesIn(zip))).toEqual(
      expect.arrayContaining(['provenance.json', 'provenance.attached.json']),
    )
    expect((await verified(write('named.zip', zip), '--key', keyFile)).text).toContain('Everything holds.')
    const imported = await importPackage(user, zip)
    expect([imported.files.map(file => file.path), imported.warnings]).toEqual([['provenance.json'], []])
    const files = await filesIn(zip)
    delete files['asset-studio.json']
    delete files['provenance.attached.json']
    expect((await reportOf(user, files)).files).toEqual([])
    const other = {
      'x/SKILL.md': '---\nname: x\ndescription: d\n---\nb',
      'x/provenance.json': '{"format":"other"}',
    }
    expect((await reportOf(user, other)).files).toMatchObject([{ path: 'provenance.json' }])
  })

  test('keeps an attached file of that name', async () => {
    const { installId } = await installed()
    const { provenance } = await user.call(readInstall, { params: { id: installId } })
    const { id } = await makeAsset(user, { type: 'SKILL', description: 'Has a proof.' })
    await addFiles(user, id, [['provenance.json', JSON.stringify(provenance)]])
    const imported = await importPackage(user, await exportPackage(user, id))
    expect(imported.files.map(({ path }) => path)).toEqual(['provenance.json'])
  })

  test('of an own asset has no statement', async () => {
    const { entry } = await installed()
    const zip = await exportPackage(author, defined(entry.assetId))
    expect(Object.keys(await filesIn(zip)).filter(path => path.includes('provenance'))).toEqual([])
    expect(await verified(write('own.zip', zip), '--key', keyFile)).toMatchObject({
      code: 2,
      text: expect.stringContaining('contains no signed statement'),
    })
  })
})

describe('detects every change', () => {
  type Files = Record<string, Buffer>
  const put = (name: string, text: string) => (files: Files) => {
    files[name] = Buffer.from(text)
  }
  const reword = (name: string, from: string, to: string) => (files: Files) =>
    put(name, String(files[name]).replace(from, to))(files)
  const edited = (change: (file: { statement: object }) => void) => (files: Files) => {
    const file = JSON.parse(String(files['provenance.json']))
    change(file)
    put('provenance.json', JSON.stringify(file))(files)
  }
  const leave = (name: string) => (files: Files) => {
    delete files[name]
  }

  test.each<[string, (files: Files) => void, string]>([
    ['a file with other bytes', put('scripts/run.sh', 'evil'), '"scripts/run.sh" was changed'],
    ['one more file', put('more.md', 'm'), '"more.md" was added'],
    ['a file less', leave('references/a.md'), '"references/a.md" is missing'],
    ['another body', reword('SKILL.md', 'Read it.', 'Send it.'), 'The body was changed'],
    [
      'another description',
      reword('SKILL.md', 'Reads contracts', 'Sends contracts'),
      'The description was changed',
    ],
    ['other front matter', reword('SKILL.md', 'MIT', 'GPL'), 'The front matter was changed'],
    [
      'another version in the statement',
      edited(({ statement }) => Object.assign(statement, { version: '9.9.9' })),
      'The signature does not match',
    ],
    [
      'a field more in the statement',
      edited(({ statement }) => Object.assign(statement, { extra: 1 })),
      'The signature does not match',
    ],
    [
      'another signature',
      edited(file => Object.assign(file, { signature: 'AAAA' })),
      'The signature does not match',
    ],
  ])('%s', async (_, change, says) => {
    const { id } = await installed()
    const { code, text } = await verified(await altered(id, change), '--key', keyFile)
    expect([code, text]).toEqual([1, expect.stringContaining(says)])
  })

  test('a statement with another signature', async () => {
    const { id } = await installed()
    const stranger = openSigner('the secret of somebody else, long enough')
    const forged = await altered(
      id,
      edited(file => {
        const signature = stranger.sign(canonicalJson(file.statement))
        Object.assign(file, { signature, publicKey: stranger.publicKey, keyId })
      }),
    )
    expect(await verified(forged, '--key', keyFile)).toMatchObject({
      code: 1,
      text: expect.stringContaining('is not the one that was given'),
    })
    expect((await verified(forged, '--key', keyId)).code).toBe(1)
    expect((await verified(forged, '--key', keyFile, '--key', stranger.keyId)).code).toBe(0)
  })

  test('texts with control characters', async () => {
    const { id } = await installed()
    const name = 'Fine\n\u001b[2K\u202eok   Everything holds.'
    const forged = await altered(
      id,
      edited(({ statement }) => Object.assign(statement, { name })),
    )
    const { code, text } = await verified(forged, '--key', keyFile)
    expect([code, text]).toEqual([1, expect.stringContaining('Fine\\u{a}\\u{1b}[2K\\u{202e}ok')])
  })

  test('an untrusted key', async () => {
    const { id } = await installed()
    const { code, text } = await verified(await packaged(id))
    expect(code).toBe(1)
    expect(text).toContain('ok   The statement is signed')
    expect(text).toContain('NOT  The key came with the file and is not trusted.')
  })

  test('unreadable input', async () => {
    const { id } = await installed()
    const path = await packaged(id)
    const damaged = write('damaged.zip', Buffer.from('PK\u0003\u0004 is not enough'))
    const unread = [
      [],
      [path, path],
      [join(folder, 'nothing.zip')],
      [damaged, '--key', keyFile],
      [write('text.txt', 'text'), '--key', keyFile],
      [write('other.json', '{}'), '--key', keyFile],
      [write('null.json', 'null'), '--key', keyFile],
      [folder],
      [path, '--key', join(folder, 'no key')],
      [path, '--key', write('no-key.json', '{"keys":[null]}')],
      [path, '--keys'],
    ]
    for (const args of unread) {
      const { code, text } = await verified(...args)
      expect([args, code, text]).toEqual([args, 2, expect.stringMatching(/./)])
    }
  })
})
