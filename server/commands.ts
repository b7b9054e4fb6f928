/**
 * The one program: `up` runs a whole server on this machine; `api` and `worker` are the processes it is made
 * of, for those who run their own PostgreSQL; the rest are small jobs.
 */
import { type Config, ConfigError, readConfig, wrongSettingsExit } from './config.ts'
import { Refusal } from './platform/fail.ts'

type Command = { summary: string; run(args: string[]): Promise<number | undefined> }

// the settings are read, and refused, before anything else is loaded
const commands: Record<string, Command> = {
  up: {
    summary: 'everything on this machine: database, migrations, API and worker',
    run: () => withConfig(async config => (await import('./up.ts')).up(config)),
  },
  api: {
    summary: 'one API process (needs DATABASE_URL)',
    run: () => withConfig(async config => (await import('./api.ts')).runApi(config)),
  },
  worker: {
    summary: 'one worker process (needs DATABASE_URL)',
    run: () => withConfig(async config => (await import('./worker.ts')).runWorker(config)),
  },
  migrate: {
    summary: 'apply pending migrations (needs DATABASE_URL)',
    run: () => withConfig(async config => (await import('./jobs.ts')).runMigrate(config)),
  },
  operator: {
    summary: 'operator create --email E --name N: an account that runs this server; asks for the password',
    run: args => withConfig(async config => (await import('./jobs.ts')).runOperator(config, args)),
  },
  restored: {
    summary: 'to be run once when a backup was restored: readers of changes begin again',
    run: () => withConfig(async config => (await import('./jobs.ts')).runRestored(config)),
  },
  verify: {
    summary:
      'verify <package.zip | install.json> --key <file>: whether it is what was published and approved',
    run: async args =>
      (await import('./marketplace/index.ts')).verify(args, line => void process.stdout.write(`${line}\n`)),
  },
  openapi: {
    summary: 'print the OpenAPI document',
    run: async () => (await import('./jobs.ts')).runOpenApi(),
  },
}

async function withConfig(work: (config: Config) => Promise<number>): Promise<number> {
  return work(readConfig())
}

async function main(): Promise<number | undefined> {
  const [name = '', ...args] = process.argv.slice(2)
  const command = commands[name]
  if (!command) {
    const list = Object.entries(commands).map(([word, { summary }]) => `  ${word.padEnd(10)} ${summary}`)
    process.stderr.write(`Usage: node server/main.mjs <command>\n\n${list.join('\n')}\n`)
    return 2
  }
  try {
    return await command.run(args)
  } catch (error) {
    process.stderr.write(`${await errorText(error as Error)}\n`)
    return error instanceof ConfigError ? wrongSettingsExit : 1
  }
}

const fileErrors: Record<string, string> = {
  EACCES: 'this user may not use it',
  EPERM: 'this user may not use it',
  EROFS: 'it is on a file system that is read-only',
  ENOTDIR: 'a part of its path is a file',
  EEXIST: 'it is a file, not a folder',
  ENOSPC: 'the disk is full',
}

/** Foreseen errors in their own words, others with their stack. */
async function errorText(
  error: Error & { code?: string; path?: string; isForPeople?: boolean },
): Promise<string> {
  if (error instanceof Refusal) {
    const details = (error.extra.details ?? []).map(({ path, message }) => `  ${path} ${message}`)
    return [error.message, ...details].join('\n')
  }
  if (error instanceof ConfigError || error.isForPeople) return error.message
  if (error.code === 'ERR_MODULE_NOT_FOUND' && error.message.startsWith('Cannot find package '))
    return 'The packages of Patio are not installed, or not all of them. Run: npm ci --omit=dev'
  const reason = fileErrors[error.code ?? '']
  if (reason && error.path)
    return `${error.path} cannot be used: ${reason}. Give this user the folder of DATA_DIR with all that is in it, or set DATA_DIR to another.`
  const { isUnavailable } = await import('./platform/data/errors.ts')
  if (isUnavailable(error) || error.code?.startsWith('28')) {
    return `The database does not let us in: ${error.message || error.code}. Check DATABASE_URL.`
  }
  return error.stack ?? String(error)
}

const code = await main()
// whatever a failure left open must not keep the process
if (code) process.exit(code)
