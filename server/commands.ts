/**
 * The command line program: `up` runs a whole server on this machine; `api` and `worker` are its processes,
 * for installations with their own PostgreSQL; the rest are small jobs.
 */
import { parseArgs } from 'node:util'
import type { Command } from './area.ts'
import { areaCommands } from './area-commands.ts'
import {
  type Config,
  ConfigError,
  readConfig,
  readConfigForBackup,
  requireDatabase,
  wrongSettingsExit,
} from './config.ts'
import { Refusal } from './platform/fail.ts'
import { commandLine } from './platform/version.ts'
import { isSupervised, settingsOfSupervisor } from './supervised-process.ts'

// the settings are validated before anything else is loaded
const commands: Record<string, Command> = {
  up: {
    summary: 'run everything on this machine: database, migrations, API and worker',
    run: () => withConfig(async config => (await import('./up.ts')).up(config)),
  },
  api: {
    summary: 'run one API process (needs DATABASE_URL)',
    run: args =>
      runProcess(
        args,
        () => import('./api.ts'),
        ({ runApi }, config) => runApi(config),
      ),
  },
  worker: {
    summary: 'run one worker process (needs DATABASE_URL)',
    run: args =>
      runProcess(
        args,
        () => import('./worker.ts'),
        ({ runWorker }, config) => runWorker(config),
      ),
  },
  migrate: {
    summary: 'apply pending migrations (needs DATABASE_URL)',
    run: () => withConfig(async config => (await import('./jobs.ts')).runMigrate(config)),
  },
  distribute: {
    summary: 'distribute [--shards N]: distribute a database on Citus by organization (needs DATABASE_URL)',
    run: args => withConfig(async config => (await import('./jobs.ts')).runDistribute(config, args)),
  },
  operator: {
    summary: 'operator create --email E --name N: create an operator account; asks for the password',
    run: args => withConfig(async config => (await import('./jobs.ts')).runOperator(config, args)),
  },
  backup: {
    summary: 'backup [--to URL] [--list]: back up database, files and secrets; the server may be running',
    run: args =>
      withBackupConfig(args, 'to', async config =>
        (await import('./backup/commands.ts')).runBackup(config, args),
      ),
  },
  restore: {
    summary:
      'restore [--from URL] [--backup ID] [--verify | --list]: restore a backup into an empty DATA_DIR',
    run: args =>
      withBackupConfig(args, 'from', async config =>
        (await import('./backup/commands.ts')).runRestore(config, args),
      ),
  },
  restored: {
    summary: 'run once after restoring a database with other tools: readers of changes start again',
    run: () => withConfig(async config => (await import('./jobs.ts')).runRestored(config)),
  },
  relays: {
    summary: 'relays [count]: show the leases of the outbox relay, or set how many there are',
    run: args => withConfig(async config => (await import('./jobs.ts')).runRelays(config, args)),
  },
  ...areaCommands({
    print: line => void process.stdout.write(`${line}\n`),
    withDatabase: work => withConfig(async config => (await import('./jobs.ts')).withDatabase(config, work)),
  }),
  openapi: {
    summary: 'print the OpenAPI document',
    run: async () => (await import('./jobs.ts')).runOpenApi(),
  },
}

async function withConfig<Result>(work: (config: Config) => Promise<Result>): Promise<Result> {
  return work(readConfig())
}

/** The option `--to` or `--from` replaces BACKUP_TO. */
async function withBackupConfig(
  args: string[],
  option: 'to' | 'from',
  work: (config: Config) => Promise<number>,
): Promise<number> {
  const { values } = parseArgs({ args, options: { [option]: { type: 'string' } }, strict: false })
  const url = values[option]
  return work(readConfigForBackup(typeof url === 'string' ? url : undefined, option === 'from'))
}

/**
 * Runs a process of the server, unless its database has other migrations than this version. One that `up` started loads its
 * program while it waits for its settings.
 */
async function runProcess<Program>(
  args: string[],
  load: () => Promise<Program>,
  run: (program: Program, config: Config) => Promise<number>,
): Promise<number> {
  const settings = isSupervised(args) ? (await Promise.all([settingsOfSupervisor(), load()]))[0] : undefined
  const config = readConfig(settings)
  const { assertMigrated } = await import('./platform/data/migrate.ts')
  await assertMigrated(requireDatabase(config).databaseUrl)
  return run(await load(), config)
}

async function main(): Promise<number | undefined> {
  const [name = '', ...args] = process.argv.slice(2)
  const command = commands[name]
  if (!command) {
    const list = Object.entries(commands).map(([word, { summary }]) => `  ${word.padEnd(14)} ${summary}`)
    process.stderr.write(`Usage: ${commandLine.program} <command>\n\n${list.join('\n')}\n`)
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
  EACCES: 'this user has no permission',
  EPERM: 'this user has no permission',
  EROFS: 'its file system is read-only',
  ENOTDIR: 'a part of its path is a file',
  EEXIST: 'it is a file, not a folder',
  ENOSPC: 'the disk is full',
}

/** The message of an expected error, or the stack of another one. */
async function errorText(
  error: Error & { code?: string; path?: string; isForPeople?: boolean },
): Promise<string> {
  if (error instanceof Refusal) {
    const details = (error.extra.details ?? []).map(({ path, message }) => `  ${path} ${message}`)
    return [error.message, ...details].join('\n')
  }
  if (error instanceof ConfigError || error.isForPeople) return error.message
  if (error.code === 'ERR_MODULE_NOT_FOUND' && error.message.startsWith('Cannot find package '))
    return 'The dependencies of Patio are not completely installed. Run: npm ci --omit=dev'
  const reason = fileErrors[error.code ?? '']
  if (reason && error.path)
    return `${error.path} cannot be used: ${reason}. Make this user the owner of DATA_DIR and its content, or set DATA_DIR to another folder.`
  const { isUnavailable } = await import('./platform/data/errors.ts')
  if (isUnavailable(error) || error.code?.startsWith('28')) {
    return `The database refuses the connection: ${error.message || error.code}. Check DATABASE_URL.`
  }
  return error.stack ?? String(error)
}

const code = await main()
// open handles must not keep a failed process alive
if (code) process.exit(code)
