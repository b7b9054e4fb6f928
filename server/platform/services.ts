import type { Files } from './adapters/files.ts'
import type { Gateways } from './adapters/gateway.ts'
import type { SavedAddresses } from './adapters/http-client/saved-addresses.ts'
import type { Mail } from './adapters/mail.ts'
import type { Database } from './data/database.ts'
import type { MembershipListener } from './events/membership-listener.ts'
import type { RecipientsResolver } from './events/recipients-resolver.ts'
import type { SseBroker } from './events/sse-broker.ts'
import type { Log } from './log.ts'
import type { PersonalData } from './personal-data.ts'
import type { Cipher } from './security/cipher.ts'
import type { Seals } from './security/seals.ts'
import type { Signer } from './security/signer.ts'

export type DataServices = {
  readonly database: Database
  /** The personal data of people of clients in other areas. */
  readonly personalData: PersonalData
}

/** Events, and who receives them. */
export type EventServices = {
  /** Sends wake-up signals: `changed` to the relay, `due` to the dispatchers. */
  readonly wakeUp?: { changed(): void; due(applicationIds: Iterable<string>): void }
  /** The open event streams of this process. */
  readonly sseBroker: SseBroker
  /** Decides which applications may receive restricted events. */
  readonly recipients: RecipientsResolver
  /** Keeps the areas consistent with memberships and permissions. */
  readonly membershipListener: MembershipListener
}

/** The outside systems. */
export type AdapterServices = {
  readonly mail: Mail
  readonly files: Files
  /** The largest file that is accepted. */
  readonly maxFileBytes: number
  /** The folders whose free space operators see; none on a server without them. */
  readonly diskFolders?: readonly { folder: 'DATA' | 'FILES'; path: string }[]
  readonly gateways: Gateways
}

export type SecurityServices = {
  readonly seals: Seals
  readonly signer: Signer
  /** Encrypts other parties' secrets that are needed again. */
  readonly cipher: Cipher
  /** The addresses that users may make the server call. */
  readonly allowedAddresses: SavedAddresses
  /** Clears this process's cache of a person in an organization, or (null) of everybody in it. */
  forget?(organizationId: string, personId: string | null): void
}

/** How the server presents itself. */
export type ServerServices = {
  /** For problems that do not fail the request. */
  readonly log?: Log
  /** The prefix of product headers. */
  readonly headerPrefix: string
  /** The URL where people reach this server; links in mails begin with it. */
  readonly publicUrl: string
}

/**
 * The services of operations. A function declares those that it needs as its parameter: a group, one of the types below, or a
 * type of its own. An area adds a service that it alone uses by declaring it here, as plugins of Fastify do, with a value from
 * `services` in its `area.ts`.
 */
export interface Services
  extends DataServices,
    EventServices,
    AdapterServices,
    SecurityServices,
    ServerServices {}

/** For a transaction that emits events: the relay is woken up after the commit. */
export type OutboxServices = Pick<Services, 'database' | 'wakeUp'>

/** For receiving the files of a request. */
export type UploadServices = Pick<Services, 'files' | 'maxFileBytes'>

/** For a change in what people or applications may do. */
export type AccessServices = Pick<Services, 'forget'>
