import type { TSchema } from 'typebox'
import type { ChangeAnnouncement } from './people-events.ts'
import type { Scope } from './permissions.ts'

/**
 * The recipients of an event. Callers of emit() do not choose the recipients; the declaration does.
 *  asset-readers: members who may read the asset at that moment (STR-7). With `formerReaders`: the members who
 *                 could read it before and no longer can. With `formerReader`: that one person
 *  asset-readers-but-actor: the same, without the person who acted
 *  nobody: stored, but sent to nobody
 *  everyone: all members of all organizations that have the marketplace (MST-5)
 *  named: the people that the caller passes to `emit`: the submitter of an entry, and everybody who installed it
 *  channel-members: members of the chat channel who may read the subject of the event
 *  people: members who may read the changed objects (PEO-4); see contract/people-events.ts
 *  applications: external applications, by webhook (EVT-4); see ForApplications
 */
export type Audience =
  | 'asset-readers'
  | 'asset-readers-but-actor'
  | 'nobody'
  | 'everyone'
  | 'named'
  | 'channel-members'
  | 'people'
  | 'applications'

type EventDeclaration = {
  stream: 'studio' | 'marketplace' | 'chat' | null
  frame: string | null
  audience: Audience
  data: TSchema
}

/**
 * An event for external applications. Its name is in capitals. Events with dotted names never leave to
 * applications.
 */
export type ForApplications = {
  stream: null
  frame: null
  audience: 'applications'
  data: TSchema
  /** The version of `data`, sent in `meta.schemaVersion` and in a header. */
  schemaVersion: string
  /**
   * The scope that an application needs to receive the event. It is checked when the event happens and before
   * every attempt.
   */
  scope: Scope | null
  /**
   * For events with `scope: null` whose data is not public: the scope that reads the same data. Webhooks
   * receive the event without this scope. A person who sets the webhook's URL or reads a delivery needs the
   * permissions of the scope, and an application needs the scope to pull the delivery.
   */
  contentScope?: Scope
  /**
   *  subscribers: every application of the organization that subscribed to the event
   *  subject: of the subscribers, only `{ applicationId }`
   *  anyway: only `{ applicationId }`, subscribed or not
   *  channel: applications with access to the chat channel `{ channelId }` that may see `{ messageId }`
   *  channel-subject, channel-others: of these, only `{ applicationId }`, or all but that one
   */
  reaches: 'subscribers' | 'subject' | 'anyway' | 'channel' | 'channel-subject' | 'channel-others'
  /**
   * The scope that part of the data requires. Such an event is emitted twice: as a whole for applications
   * with the scope (`{ part: 'whole' }`), and with the rest for the others (`{ part: 'rest' }`), or not at
   * all. An event without a part is for all.
   */
  splitsBy?: Scope
  /** Whether the application that caused the event receives it as well. */
  includesActor: boolean
  /** The event of the people's stream that says the same to people. */
  announces?: ChangeAnnouncement & { id: string }
}

/** Declares one event. */
export function event<const P extends EventDeclaration>(declaration: P): P {
  return declaration
}

/** Declares an event for external applications. */
export function forApplications<const P extends Omit<ForApplications, 'stream' | 'frame' | 'audience'>>(
  declaration: P,
) {
  return { stream: null, frame: null, audience: 'applications', ...declaration } as const
}
