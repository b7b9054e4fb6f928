import type { TSchema } from 'typebox'
import type { Scope } from './permissions.ts'

/**
 * Who hears of an event. No caller of emit() picks recipients: the audience stands here.
 *  asset-readers  members who may read the asset at that moment (STR-7), or of an event that is
 *                 emitted for `formerReaders`, those who could read it before and cannot any more; for a `formerReader`,
 *                 that person
 *  asset-readers-but-actor  the same, without the person who acted
 *  nobody         kept for the record only
 *  everyone       all members of all organizations that have the marketplace (MST-5)
 *  named          the people whom `emit` is given: the submitter of an entry, and who installed it
 *  channel-members members of the chat channel who may read what it is about
 *  applications   external applications, by webhook (EVT-4); see ForApplications
 */
export type Audience =
  | 'asset-readers'
  | 'asset-readers-but-actor'
  | 'nobody'
  | 'everyone'
  | 'named'
  | 'channel-members'
  | 'applications'

type Promised = {
  stream: 'studio' | 'marketplace' | 'chat' | null
  frame: string | null
  audience: Audience
  data: TSchema
}

/** An event for external applications. Its name is in capitals; a dotted name is never told to one. */
export type ForApplications = {
  stream: null
  frame: null
  audience: 'applications'
  data: TSchema
  /** Version of `data`, told in `meta.schemaVersion` and a header. */
  schemaVersion: string
  /** What an application needs to be told, when the event happens and again whenever it is sent. */
  scope: Scope | null
  /**
   * Where `scope` is null and what it carries is not for everybody: the scope of those who may read the same. A webhook is
   * told of it without that scope. A person who points the webhook somewhere or reads a delivery needs its permissions,
   * and an application needs it to pull the delivery.
   */
  contentScope?: Scope
  /**
   *  subscribers  every application of the organization that asked for the event by its name
   *  subject      of them only the one that `emit` is given as `{ applicationId }`
   *  anyway       that one, whether it asked for the event or not
   *  channel      those that have access to the chat channel `{ channelId }`, and may see the message `{ messageId }`
   *  channel-subject, channel-others  of them only `{ applicationId }`, or all but that one
   */
  reaches: 'subscribers' | 'subject' | 'anyway' | 'channel' | 'channel-subject' | 'channel-others'
  /**
   * What it tells may be in part for those alone who hold this scope: then it is emitted for them as a whole,
   * `{ part: 'whole' }`, and for the others with the rest, `{ part: 'rest' }`, or not at all. Without a part it is for all.
   */
  splitsBy?: Scope
  /** An application that did it itself is told as well. */
  isToldToActor: boolean
}

/** One event as it is promised. */
export function event<const P extends Promised>(promised: P): P {
  return promised
}

/** One that external applications are told of. */
export function forApplications<const P extends Omit<ForApplications, 'stream' | 'frame' | 'audience'>>(
  promised: P,
) {
  return { stream: null, frame: null, audience: 'applications', ...promised } as const
}
