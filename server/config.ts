import { resolve } from 'node:path'
import { limits } from '#contract/limits.ts'
import { type BackupConfig, readBackup } from './config/backup.ts'
import { type RingKey, readFormerSecrets, readProvenanceKey, readSecrets } from './config/secrets.ts'
import { readSignals } from './config/signals.ts'
import { readTaxRecords, type TaxRecordConfig } from './config/tax-records.ts'
import { readTraces } from './config/traces.ts'
import {
  ConfigError,
  flag,
  integer,
  isLoopback,
  oneOf,
  readDatabaseUrl,
  readFilesUrl,
  readHeaderPrefix,
  readMail,
  readMetrics,
  readNetworks,
  readOidc,
  readProxies,
  readPublicUrl,
  readS3,
  readStripe,
  readTimeStampUrl,
} from './config/values.ts'
import type { NatsServers } from './platform/adapters/nats.ts'
import type { TraceTarget } from './platform/adapters/trace-export.ts'

export { settings } from './config/settings.ts'

import { commandLine } from './platform/version.ts'

export { ConfigError }

/** Exit code for invalid settings, EX_CONFIG of sysexits.h: restarting does not help. */
export const wrongSettingsExit = 78

/** All settings from the environment. This file is the only reader of process.env. */
export type Config = {
  host: string
  port: number
  /** Where people and applications reach this server; links in mails begin with it. */
  publicUrl: string
  dataDir: string
  /** Undefined: the embedded PostgreSQL in `dataDir`. */
  databaseUrl: string | undefined
  /** NATS as the carrier of signals between processes; undefined: NOTIFY of the database. */
  nats?: NatsServers | undefined
  filesUrl: string
  /** The credentials of the bucket in `filesUrl`, if it is one. */
  s3: ReturnType<typeof readS3>
  maxFileBytes: number
  smtpUrl: string | undefined
  mailFrom: string
  demo: boolean
  /** Whether this server has a dashboard; `building`: its build runs beside this process. */
  dashboard?: 'on' | 'off' | 'building'
  /** Whether to serve the book of the dashboard's parts; for tests. */
  hasDashboardBook?: boolean
  logLevel: string
  /** Where a worker shows its metrics; undefined: nowhere. */
  metrics?: { host: string; port: number } | undefined
  /** Where traces are exported; undefined: nowhere. */
  traces?: TraceTarget | undefined
  trustProxy: string | false
  poolSize: number
  /** Whether, on Citus, processes connect to all nodes, so that the statements of each organization go to the node that has its rows. */
  areNodesConnected: boolean
  /** How long requests wait for a database connection. */
  connectTimeoutMs: number
  statementTimeoutMs: number
  /** How long requests wait for a lock; for tests on busy machines. */
  lockTimeoutMs?: number
  drainDelaySeconds: number
  drainSeconds: number
  /** Multiplies the requests per minute of all plans; 0 turns the limits off. */
  ceilingFactor: number
  /** Error reports of a key per hour; 0 for any number. */
  errorReportsPerHour?: number
  signInSecret: string
  sessionKeys: RingKey[]
  /** Former values of `signInSecret`, latest first: needed to decrypt what they encrypted. */
  formerSecrets?: string[]
  /** The secret of provenance signatures; `signInSecret` if undefined. */
  provenanceKey?: string | undefined
  oidc:
    | { name: string; issuer: string; clientId: string; clientSecret: string; isEmailTrusted?: boolean }
    | undefined
  /** Networks that webhooks may reach although they are not public. */
  webhookNetworks?: string[]
  /** The prefix of webhook headers. */
  vendorPrefix?: string
  /** The URL of the Stripe API, if not Stripe's own. */
  stripe?: { url?: string; timeoutMs?: number }
  /** The time stamp authority (RFC 3161) for signatures. */
  timeStampUrl?: string | undefined
  /** The producer that tax records name, and the connection to the tax office. */
  taxRecords?: TaxRecordConfig
  /** Where and when backups are made; undefined: nowhere. */
  backup?: BackupConfig | undefined
}

/**
 * Reads the environment into a typed object. A partly configured feature refuses to start and names the
 * missing setting.
 */
export function readConfig(
  env: NodeJS.ProcessEnv = process.env,
  { isRestore = false }: { isRestore?: boolean } = {},
): Config {
  const get = (name: string) => env[name]?.trim() || undefined
  const host = get('HOST') ?? '127.0.0.1'
  const port = integer(env, 'PORT', 4000, 0, 65_535)
  const dataDir = resolve(get('DATA_DIR') ?? './data')
  const databaseUrl = readDatabaseUrl(get('DATABASE_URL'))
  const publicUrl = readPublicUrl(get('PUBLIC_URL'), host, port)
  const isLocal = isLoopback(host) && isLoopback(new URL(publicUrl).hostname)
  const demo = flag(env, 'DEMO', databaseUrl === undefined && isLocal)
  if (demo && !isLocal) {
    throw new ConfigError(
      'DEMO=1 only works on this machine: set HOST=127.0.0.1 and no PUBLIC_URL, or DEMO=0.',
    )
  }
  const secretsDir = databaseUrl === undefined || isRestore ? dataDir : undefined
  const filesUrl = readFilesUrl(get('FILES_URL'), dataDir)
  const { backup } = readBackup(env)
  const mayGenerate = !isRestore
  const secrets = readSecrets(get('SIGN_IN_SECRET'), get('SESSION_KEYS'), secretsDir, { mayGenerate })
  return {
    host,
    port,
    publicUrl,
    dataDir,
    databaseUrl,
    ...readSignals(get('SIGNALS_URL')),
    filesUrl,
    backup,
    s3: readS3([filesUrl, ...(backup ? [backup.url] : [])], {
      endpoint: get('S3_ENDPOINT'),
      region: get('S3_REGION'),
      accessKeyId: get('AWS_ACCESS_KEY_ID'),
      secretAccessKey: get('AWS_SECRET_ACCESS_KEY'),
    }),
    maxFileBytes: integer(env, 'MAX_FILE_BYTES', limits.fileBytes, 1, limits.versionBytes),
    ...readMail(get('SMTP_URL'), get('MAIL_FROM')),
    demo,
    dashboard: oneOf(env, 'DASHBOARD', 'on', ['on', 'off', 'building']) as 'on' | 'off' | 'building',
    logLevel: oneOf(env, 'LOG_LEVEL', 'info', ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    metrics: readMetrics(env, port),
    ...readTraces(env),
    trustProxy: readProxies(get('TRUST_PROXY')),
    poolSize: integer(env, 'POOL_SIZE', 10, 2, 200),
    areNodesConnected: flag(env, 'CONNECT_TO_NODES', true),
    connectTimeoutMs: integer(env, 'CONNECTION_TIMEOUT_MS', 2_000, 100, 60_000),
    statementTimeoutMs: integer(env, 'STATEMENT_TIMEOUT_MS', 4_000, 100, 60_000),
    drainDelaySeconds: integer(env, 'DRAIN_DELAY_SECONDS', 0, 0, 60),
    drainSeconds: integer(env, 'DRAIN_SECONDS', 10, 0, 60),
    ceilingFactor: integer(env, 'CEILING_FACTOR', 1, 0, 1_000),
    errorReportsPerHour: integer(env, 'ERROR_REPORTS_PER_HOUR', limits.errorReportsPerHour, 0, 10_000_000),
    signInSecret: secrets.signInSecret,
    sessionKeys: secrets.sessionKeys,
    formerSecrets: readFormerSecrets(get('FORMER_SECRETS'), secrets.formerSecrets),
    provenanceKey: readProvenanceKey(get('PROVENANCE_KEY') ?? secrets.provenanceKey ?? undefined),
    oidc: readOidc(env),
    webhookNetworks: readNetworks(get('WEBHOOK_NETWORKS'), demo),
    vendorPrefix: readHeaderPrefix(get('VENDOR_PREFIX')),
    ...readStripe(get('STRIPE_URL')),
    timeStampUrl: readTimeStampUrl(get('TIME_STAMP_URL')),
    ...readTaxRecords({
      producerName: get('VERIFACTU_PRODUCER_NAME'),
      producerNif: get('VERIFACTU_PRODUCER_NIF'),
      url: get('VERIFACTU_URL'),
      certificate: get('VERIFACTU_CERTIFICATE'),
      passphrase: get('VERIFACTU_PASSPHRASE'),
    }),
  }
}

/** The settings of a backup or a restore; `url` replaces BACKUP_TO. A restore brings its own secrets. */
export function readConfigForBackup(url: string | undefined, isRestore: boolean): Config {
  return readConfig(url === undefined ? process.env : { ...process.env, BACKUP_TO: url }, { isRestore })
}

/** A separate process needs DATABASE_URL. */
export function requireDatabase(config: Config): Config & { databaseUrl: string } {
  const { databaseUrl } = config
  if (databaseUrl === undefined)
    throw new ConfigError(`Set DATABASE_URL, or run everything with: ${commandLine.start}`)
  return { ...config, databaseUrl }
}

/** The environment of a child process: the same settings, completed by its parent. */
export function environmentOf(config: Config & { databaseUrl: string }): NodeJS.ProcessEnv {
  return {
    ...process.env,
    DATABASE_URL: config.databaseUrl,
    PORT: String(config.port),
    PUBLIC_URL: config.publicUrl,
    DATA_DIR: config.dataDir,
    DEMO: '0',
    DASHBOARD: config.dashboard ?? 'on',
    SIGN_IN_SECRET: config.signInSecret,
    FORMER_SECRETS: config.formerSecrets?.join() ?? '',
    PROVENANCE_KEY: config.provenanceKey ?? '',
    WEBHOOK_NETWORKS: config.webhookNetworks?.join() ?? '',
    SESSION_KEYS: config.sessionKeys.map(({ kid, secret }) => `${kid}:${secret}`).join(','),
  }
}
