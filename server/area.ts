import type { ServerHealth } from '#contract/identity/health.ts'
import type { InboxItem } from '#contract/identity/inbox.ts'
import type { memberRoles } from '#contract/identity/organization.ts'
import type { Overview } from '#contract/identity/overview.ts'
import type { Operation } from '#contract/operation.ts'
import type { Plan } from '#contract/permissions.ts'
import type { Config } from './config.ts'
import type { TaxOffice } from './platform/adapters/tax-office.ts'
import type { TimeStamps } from './platform/adapters/time-stamps.ts'
import type { Database } from './platform/data/database.ts'
import type { CrossTenantDb, Db, Tx } from './platform/data/db.ts'
import type { MembershipListener } from './platform/events/membership-listener.ts'
import type { RecipientsResolver } from './platform/events/recipients-resolver.ts'
import type { StreamKind } from './platform/events/sse-broker.ts'
import type { Caller } from './platform/http/caller.ts'
import type { ServedOperation } from './platform/http/operation.ts'
import type { Job } from './platform/jobs/job.ts'
import type { MailKind } from './platform/jobs/mail-queue.ts'
import type { Log } from './platform/log.ts'
import type { Samples } from './platform/metrics.ts'
import type { PersonalData } from './platform/personal-data.ts'
import type { Services } from './platform/services.ts'

/** The parts of an area that API processes use. Its `area.ts` declares them, and `areas.ts` lists the areas. */
export type Area = {
  readonly name: string
  readonly operations: readonly ServedOperation[]
  /** The services that only this area uses. Their types are declared where they are made: see `Services`. */
  readonly services?: (config: Config) => Partial<Services>
  /** The event streams that the people's stream carries, with the operations that open them. */
  readonly streams?: readonly { kind: StreamKind; contract: Pick<Operation, keyof ReadingRights> }[]
  /** The items of a person in the inbox (HOM-6). */
  readonly inbox?: (db: Db, caller: Caller) => Promise<InboxItem[]>
  /**
   * The area's part of the overview of a person (HOM-2); `crossTenant` is for operators. It may replace fields that an
   * earlier area counted without knowing the later one.
   */
  readonly overview?: (db: Db, caller: Caller, crossTenant: CrossTenantDb) => Promise<OverviewPart>
  /** The area's part of the health of the server (OPR-11). */
  readonly health?: (database: Database) => Promise<Partial<ServerHealth>>
  readonly membershipListener?: Partial<MembershipListener>
  /** At most one area decides about the recipients of restricted events. */
  readonly recipients?: RecipientsResolver
  readonly personalData?: PersonalData
  /** Resolves when what this process took in for the area, and did not write yet, is written. A shutdown waits for it. */
  readonly settled?: (services: Services) => Promise<void>
  /** Adds content to an organization of the demo, after the areas before it in the list. */
  readonly seed?: (services: SeedServices) => SeedArea
}

type ReadingRights = Pick<Operation, 'module' | 'capability' | 'feature' | 'auth'>
type OverviewPart = { [Part in keyof Overview]?: Overview[Part] | Partial<Overview[Part]> }

/** The parts of an area that workers use. Its `jobs.ts` declares them, and `background-work.ts` lists them. */
export type BackgroundWork = {
  readonly name: string
  readonly jobs: (services: JobServices) => Job[]
  /** The kinds of mail that a worker sends after the commit that queued them. */
  readonly mailKinds?: readonly MailKind<MailServices, never>[]
  /** The state of the whole server that the area shows in the metrics. */
  readonly totals?: readonly ServerTotals[]
  /** The same as that of the area. */
  readonly recipients?: RecipientsResolver
  /** Checks of the data of each organization, which `restore --verify` runs. */
  readonly dataChecks?: readonly DataCheck[]
  /**
   * Makes readers start again after a restore, because they may have seen changes that the restored data does not contain.
   * `restoredTo` is the time of the backup, if it is known.
   */
  readonly afterRestore?: (database: Database, restoredTo: string | null) => Promise<unknown>
}

/** A check of what must hold in the data of an organization, whatever it contains. */
export type DataCheck = {
  /** The name of the entries that it counts, in the plural, for the report. */
  readonly counts?: string
  /** Each fault is a sentence. */
  readonly run: (db: Db) => Promise<{ count?: number; faults: string[] }>
}

/** A command of the command line program. It returns the exit code. */
export type Command = {
  readonly summary: string
  readonly run: (args: string[]) => Promise<number | undefined>
}

/** The tools of the commands of areas. */
export type CommandContext = {
  /** Writes a line to standard output. */
  print(line: string): void
  /** Opens the database of this server for `work`, after a check of the settings. */
  withDatabase<Result>(work: (database: Database) => Promise<Result>): Promise<Result>
}

/** The commands of an area by name. Its `commands.ts` declares them, and loads the modules of a command when it runs. */
export type AreaCommands = (context: CommandContext) => Readonly<Record<string, Command>>

/** The services of jobs. Without a tax office or a time stamp authority, the jobs that need them do not exist. */
export type JobServices = Pick<
  Services,
  'cipher' | 'database' | 'files' | 'gateways' | 'maxFileBytes' | 'publicUrl' | 'seals'
> & {
  readonly wakeUp: NonNullable<Services['wakeUp']>
  readonly log: Log
  readonly taxOffice: TaxOffice | undefined
  readonly timeStamps: TimeStamps | undefined
  readonly timeStampUrl: string | undefined
}

/** The services of the templates of mails. */
export type MailServices = Pick<Services, 'cipher' | 'files' | 'publicUrl'>

/**
 * Figures that one reading obtains, and the gauges that show them. `of` is a method because a list of totals does not keep
 * the types of their figures.
 */
export type ServerTotals<Figures = unknown> = {
  /** Reads a bounded number of rows through an index. */
  readonly read: (database: Pick<Database, 'crossTenant'>) => Promise<Figures>
  readonly gauges: readonly {
    readonly name: string
    readonly help: string
    readonly label?: string
    of(figures: Figures): Samples
  }[]
}

/** The services that demo content needs. */
export type SeedServices = Pick<Services, 'cipher' | 'database' | 'files' | 'gateways' | 'maxFileBytes'>

/**
 * Adds an area's demo content to an organization. Its events are written with it; secrets go into the file.
 * `index` is the organization's index in the demo, `operatorId` the operator of the server.
 */
export type SeedArea = (
  tx: Tx,
  organization: DemoOrganization,
  index: number,
  operatorId: string,
) => Promise<void>

/** An organization of the demo, with passwords and keys in clear text, which exist nowhere else. */
export type DemoOrganization = {
  id: string
  name: string
  plan: Plan
  people: { id: string; email: string; password: string; role: (typeof memberRoles)[number] }[]
  applications: { id: string; slug: string; name: string; key: string }[]
}
