import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { cp, mkdir, open, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { newId } from '#platform/ids.ts'
import { databaseUrlFile } from '#server/up.ts'
import type { BenchEnvironment } from '../environment.ts'
import { tokensOf } from '../people.ts'
import { temporaryFolder } from '../processes.ts'
import type { Figure } from '../report.ts'
import { median, quotients, short, spread } from '../statistics.ts'
import { assets, newAsset, sideOf } from './requests.ts'

/** Requests in flight: as many as the writers of the tests that kill processes. */
const writers = 8
const fileBytes = 8 * 1024 * 1024
const secondsOfWrites = 10

/** Writes while backups are made, and the restore of a data set beside a checked copy of its bytes. */
export async function backup(environment: BenchEnvironment): Promise<Figure[]> {
  const { size } = environment
  const organization = await environment.organization('busy', 10_000)
  const tokens = await tokensOf(organization)
  const request = {
    name: 'create',
    method: 'POST' as const,
    path: assets,
    body: newAsset,
    status: 201,
    tokens,
  }
  const writes = sideOf(environment, 'product', environment.api, request, 0, writers)
  await fillFiles(environment, size.backupGiB)
  // as a running server does: the command finds the database of the folder there
  await writeFile(databaseUrlFile(environment.env.DATA_DIR), `${environment.env.DATABASE_URL}\n`)
  const rounds = Math.min(size.rounds, 3)
  const alone: number[] = []
  const during: number[] = []
  await writes.run(size.warmUpSeconds)
  for (let round = 0; round < rounds; round++) {
    alone.push((await writes.run(secondsOfWrites)).p95Ms)
    const loop = backUpUntilStopped(environment)
    during.push((await writes.run(secondsOfWrites)).p95Ms)
    await loop.stop()
  }
  const restores: number[] = []
  const verifications: number[] = []
  const copies: number[] = []
  const store = temporaryFolder()
  await patio(environment, ['backup', '--to', `file:${store}`])
  for (let round = 0; round < rounds; round++) {
    copies.push(await secondsOfCopy(environment.env.DATA_DIR))
    const target = temporaryFolder()
    const from = ['--from', `file:${store}`]
    restores.push(await secondsOf(() => patio(environment, ['restore', ...from], target)))
    await rm(target, { recursive: true, force: true })
    const elsewhere = temporaryFolder()
    verifications.push(await secondsOf(() => patio(environment, ['restore', '--verify', ...from], elsewhere)))
  }
  const seconds = (values: number[]) => `${short(median(values))} s`
  return [
    {
      name: 'backup-writes',
      value: spread(quotients(during, alone)),
      raw: [`p95 ${short(median(during))} ms during a backup, ${short(median(alone))} ms without`],
    },
    {
      name: 'restore',
      value: spread(quotients(copies, restores)),
      raw: [`restore ${seconds(restores)}, copy and checksums ${seconds(copies)}`],
    },
    {
      name: 'restore-verify',
      value: spread(quotients(copies, verifications)),
      raw: [`restore --verify ${seconds(verifications)}`],
    },
  ]
}

/** Adds files that do not compress to the store of the environment, registered like uploads. */
async function fillFiles({ env, sql }: BenchEnvironment, gibibytes: number): Promise<void> {
  const root = join(env.DATA_DIR, 'files', 'objects')
  for (let written = 0; written < gibibytes * 1024 ** 3; written += fileBytes) {
    const bytes = randomBytes(fileBytes)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    await sql.query(`insert into file_object values ($1, $2, now() + interval '1 day')`, [sha256, fileBytes])
    await mkdir(join(root, sha256.slice(0, 2)), { recursive: true })
    await writeFile(join(root, sha256.slice(0, 2), sha256), bytes)
  }
}

/** Makes backups one after another, each into a new folder, until it is stopped. */
function backUpUntilStopped(environment: BenchEnvironment): { stop(): Promise<void> } {
  let isStopping = false
  const done = (async () => {
    while (!isStopping) {
      const store = temporaryFolder()
      await patio(environment, ['backup', '--to', `file:${store}`])
      await rm(store, { recursive: true, force: true })
    }
  })()
  return {
    async stop() {
      isStopping = true
      await done
    },
  }
}

const key = randomBytes(32).toString('base64url')

/** Runs a command of the product on the embedded database of the environment, or on another folder. */
async function patio({ env }: BenchEnvironment, args: string[], dataDir = env.DATA_DIR): Promise<void> {
  const { DATABASE_URL: _, ...others } = env
  const child = spawn(process.execPath, ['server/main.mjs', ...args], {
    env: { ...process.env, ...others, DATA_DIR: dataDir, BACKUP_KEY: key },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}`)
}

/** Copies the database and the files to another folder, durably, and computes the SHA-256 of each copied file. */
async function secondsOfCopy(dataDir: string): Promise<number> {
  const target = join(temporaryFolder(), newId())
  const seconds = await secondsOf(async () => {
    for (const folder of ['postgres', 'files'])
      await cp(join(dataDir, folder), join(target, folder), { recursive: true, filter: isCopied })
    for (const entry of await readdir(target, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue
      const path = join(entry.parentPath, entry.name)
      const file = await open(path, 'r+')
      await file.sync()
      await file.close()
      const digest = createHash('sha256')
      for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) digest.update(chunk)
      digest.digest()
    }
  })
  await rm(target, { recursive: true, force: true })
  return seconds
}

/** Sockets are no data, and files may vanish while they are copied. */
async function isCopied(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined)
  return found !== undefined && (found.isFile() || found.isDirectory())
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return (performance.now() - startedAt) / 1000
}
