import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { chooseAddress } from './address.ts'
import { type AppOptions, buildApp } from './app.ts'
import {
  areaServicesOf,
  membershipListenerOf,
  personalDataOf,
  recipientsResolverOf,
} from './area-listeners.ts'
import { areas } from './areas.ts'
import { type Config, requireDatabase } from './config.ts'
import { dashboard } from './dashboard.ts'
import { openDatabaseHealth } from './database-health.ts'
import { diskFolders } from './disk-folders.ts'
import { documentation } from './documentation.ts'
import { type Identity, openIdentity, scimRoutes, signInRoutes } from './identity/area.ts'
import { openApplicationCallers } from './integrations/area.ts'
import { operations } from './operations.ts'
import { openFiles } from './platform/adapters/files.ts'
import { openGateways } from './platform/adapters/gateway.ts'
import { openSavedAddresses } from './platform/adapters/http-client/saved-addresses.ts'
import { openMail } from './platform/adapters/mail.ts'
import { openTraceExport, registerTraceMetrics } from './platform/adapters/trace-export.ts'
import { type Database, openDatabase } from './platform/data/database.ts'
import { openAccessChangeFeed } from './platform/events/access-changes.ts'
import { openSignal } from './platform/events/signal.ts'
import { openSseBroker } from './platform/events/sse-broker.ts'
import { openCallRateLimiter } from './platform/http/call-rate-limit.ts'
import { warnOnContractBreach } from './platform/http/contract-check.ts'
import type { ContractCheck, MountOptions } from './platform/http/mount.ts'
import { stopAccepting } from './platform/http/stop-accepting.ts'
import { type Log, openLog } from './platform/log.ts'
import { openMetrics } from './platform/metrics.ts'
import { openCipher } from './platform/security/cipher.ts'
import { openSeals } from './platform/security/seals.ts'
import { openSigner } from './platform/security/signer.ts'
import type { Services } from './platform/services.ts'
import { freeStartupMemory } from './platform/startup-memory.ts'
import { openReadiness } from './readiness.ts'
import { registerProcessMetrics } from './server-metrics.ts'
import { printReady, untilShutdownSignal } from './shutdown.ts'

export { requireDatabase }

/** A listening API process. */
export type Api = {
  readonly url: string
  readonly services: Services
  readonly identity: Identity
  /**
   * Reports not ready, waits for load balancers, ends streams with a retry time, finishes accepted requests,
   * and closes the database.
   */
  close(): Promise<void>
}

type ApiConfig = Config & { databaseUrl: string }

/**
 * Opens one API process: database, signal, SSE broker, identity, and the HTTP server on `config.host` and
 * `port`.
 */
export async function openApiProcess(
  config: ApiConfig,
  log: Log,
  contractCheck: ContractCheck = warnOnContractBreach(log),
): Promise<Api> {
  const database = await openApiDatabase(config, log)
  const databaseHealth = openDatabaseHealth({ url: config.databaseUrl, pool: database.pool, log })
  const hasConnection = openReadiness(database.pool)
  const metrics = openMetrics()
  const traces =
    config.traces &&
    (await openTraceExport(config.traces, {
      service: 'patio-api',
      log,
      count: registerTraceMetrics(metrics),
    }))
  const signal = await openSignal({ url: config.databaseUrl, nats: config.nats, log })
  const mail = openMail(config.smtpUrl, join(config.dataDir, 'mail'), config.mailFrom)
  const files = await openFiles({ url: config.filesUrl, dataDir: config.dataDir, s3: config.s3 })
  const gateways = openGateways(database, config.publicUrl, config.stripe)
  // a list, because the feed is opened before its listeners exist
  const accessListeners: ((organizationId: string, personId: string | null) => void)[] = []
  const forget = (organizationId: string, personId: string | null) => {
    for (const listener of accessListeners) listener(organizationId, personId)
  }
  const accessChanges = openAccessChangeFeed(database, { onChange: forget, log })
  const identity = await openIdentity({
    ...config,
    database,
    pool: database.pool,
    mail,
    log,
    freshness: accessChanges,
  })
  const applications = openApplicationCallers({ database, freshness: accessChanges, log })
  const sseBroker = openSseBroker({ database, signal, log, metrics, callers: identity.callers })
  accessListeners.push(identity.callers.forget, applications.forget, sseBroker.recheck)
  const services = servicesOf(config, {
    database,
    wakeUp: signal,
    sseBroker,
    mail,
    files,
    gateways,
    log,
    forget,
  })
  registerProcessMetrics(metrics, { database, signal, folders: services.diskFolders ?? [] })

  // uploads that an earlier process of this machine received and never stored
  files.removeStaleUploads().catch(error => log.warn({ err: error }, 'stale uploads could not be deleted'))

  let isDraining = false
  const app = await buildApiServer(config, {
    log,
    services,
    identity,
    authenticate: { ...identity.recognise, application: applications.byKey },
    contractCheck,
    metrics,
    traces,
    isDraining: () => isDraining,
    isReady: async () => !isDraining && databaseHealth.isHealthy() && (await hasConnection()),
  })
  await identity.signIn.ready
  const address = await app.listen({ host: config.host, port: config.port })

  return {
    url: address.replace('[::1]', 'localhost').replace('127.0.0.1', 'localhost'),
    services,
    identity,
    async close() {
      isDraining = true
      await sleep(config.drainDelaySeconds * 1000)
      const forceTimer = setTimeout(() => app.server.closeAllConnections(), config.drainSeconds * 1000)
      // a connection with a running request stays open for another one, which will not come
      const idle = setInterval(() => app.server.closeIdleConnections(), 50)
      await stopAccepting(app.server)
      await sseBroker.close()
      await app.close()
      clearTimeout(forceTimer)
      clearInterval(idle)
      await databaseHealth.stop()
      accessChanges.stop()
      await signal.close()
      // mails and counts that their replies did not wait for, for as long as a drain may take
      await Promise.race([
        Promise.all([identity.signIn.settled(), ...areas.map(area => area.settled?.(services))]),
        sleep(config.drainSeconds * 1000, undefined, { ref: false }),
      ])
      await mail.close()
      files.close()
      gateways.close()
      await traces?.close()
      await database.close()
    },
  }
}

function openApiDatabase(config: ApiConfig, log: Log): Promise<Database> {
  return openDatabase({
    url: config.databaseUrl,
    poolSize: config.poolSize,
    connectTimeoutMs: config.connectTimeoutMs,
    statementTimeoutMs: config.statementTimeoutMs,
    lockTimeoutMs: config.lockTimeoutMs ?? 3_000,
    idleInTransactionTimeoutMs: config.statementTimeoutMs + 1_000,
    applicationName: 'patio api',
    areNodesConnected: config.areNodesConnected,
    // the error object carries the whole client
    onPoolError: ({ message }) => log.warn({ reason: message }, 'a database connection was lost'),
  })
}

type OpenedService = 'database' | 'wakeUp' | 'sseBroker' | 'mail' | 'files' | 'gateways' | 'log' | 'forget'

/** The services of operations: those that this process has opened, and those that follow from the settings and the areas. */
function servicesOf(config: ApiConfig, opened: Pick<Services, OpenedService>): Services {
  return {
    ...areaServicesOf(areas, config),
    ...opened,
    diskFolders: diskFolders(config),
    maxFileBytes: config.maxFileBytes,
    seals: openSeals(config.sessionKeys.map(({ secret }) => secret)),
    signer: openSigner(config.provenanceKey ?? config.signInSecret),
    cipher: openCipher([config.signInSecret, ...(config.formerSecrets ?? [])]),
    allowedAddresses: openSavedAddresses(config.webhookNetworks),
    recipients: recipientsResolverOf(areas),
    membershipListener: membershipListenerOf(areas),
    personalData: personalDataOf(areas),
    headerPrefix: config.vendorPrefix ?? 'X-Service-',
    publicUrl: config.publicUrl,
  }
}

type ApiServerParts = Pick<
  AppOptions,
  'log' | 'contractCheck' | 'metrics' | 'traces' | 'isReady' | 'isDraining'
> &
  Pick<MountOptions, 'authenticate' | 'services'> & { identity: Identity }

/** Builds the HTTP server with the operations, sign-in, provisioning, the documentation and the dashboard. */
function buildApiServer(
  config: ApiConfig,
  { identity, authenticate, services, ...parts }: ApiServerParts,
): Promise<FastifyInstance> {
  const served = [...identity.sessionOperations, ...operations]
  const admission: MountOptions = {
    authenticate,
    callRateLimiter: openCallRateLimiter(config.ceilingFactor),
    services,
  }
  return buildApp({
    ...parts,
    admission,
    served,
    trustProxy: config.trustProxy,
    plugins: [
      async app => {
        // sign-in logs through a child logger with the request id
        app.setChildLoggerFactory((logger, bindings) => logger.child(bindings))
        await signInRoutes(app, identity.signIn)
      },
      app => scimRoutes(app, { callers: identity.provisioning, ...admission }),
      documentation(
        served.map(({ contract }) => contract),
        config.publicUrl,
        services.headerPrefix,
      ),
      dashboard({
        isOn: config.dashboard !== undefined && config.dashboard !== 'off',
        isBuilding: config.dashboard === 'building',
        ...(config.hasDashboardBook && { hasBook: true }),
        log: parts.log,
      }),
    ],
  })
}

/** Runs an API process until it is stopped. */
export async function runApi(config: Config): Promise<number> {
  const log = openLog(config.logLevel, 'api')
  const api = await openApiProcess(requireDatabase(await chooseAddress(config)), log)
  log.info({ url: api.url }, 'listening')
  printReady({ address: api.url })
  freeStartupMemory()
  await untilShutdownSignal(log, config.drainDelaySeconds + config.drainSeconds)
  await api.close()
  return 0
}
