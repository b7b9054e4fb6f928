import type { FastifyReply, FastifyRequest } from 'fastify'
import { limits } from '#contract/limits.ts'
import { now } from '../clock.ts'
import type { Database } from '../data/database.ts'
import { fail } from '../fail.ts'
import type { Caller } from '../http/caller.ts'
import { newId } from '../ids.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import { roomOfStream } from './emit.ts'
import { headOf } from './relay.sql.ts'
import type { Signal } from './signal.ts'
import { openGate } from './sse/concurrency-limit.ts'
import { openingText } from './sse/frames.ts'
import { beat, type Care, leave, recheck } from './sse/heartbeat.ts'
import { openStreamLeases } from './sse/leases.ts'
import { beginReceiver } from './sse/receiver.ts'
import { replay, startAt } from './sse/replay.ts'
import type { Member, StreamKind } from './sse/subscriber.ts'
import { type Homes, openHomes } from './sse/subscribers-by-organization.ts'
import { openWheel, type Wheel } from './sse/timer-wheel.ts'
import type { House, Room } from './sse/topic.ts'
import { openRooms, type Rooms } from './sse/topics.ts'

export type { KeptEvent } from './relay.sql.ts'
export type { MayHear, StreamKind } from './sse/subscriber.ts'

/** What opens one stream. */
export type StreamAsked = {
  kind: StreamKind
  caller: Caller
  request: FastifyRequest
  reply: FastifyReply
  /** The id of the last event that the client has; absent on a first visit. */
  lastEventId: string | undefined
  /** Throws a refusal once the caller may not have this stream any more. */
  assertAllowed(caller: Caller): void
}

/** The open event streams of an API process. One kind goes to one organization, or to all that share it. */
export type Hub = {
  /**
   * Answers a request with an event stream. Refuses the sixth of a person and kind with TOO_MANY_STREAMS, over
   * all processes (SSE-4).
   */
  open(asked: StreamAsked): Promise<FastifyReply>
  /** Looks anew at what a person, or with null everybody in the organization, may do. */
  recheck(organizationId: string, personId: string | null): void
  /** How many streams are open. */
  size(): number
  /** Ends every stream with a hint when to come back, and refuses new ones. */
  close(): Promise<void>
}

export type HubOptions = {
  database: Database
  signal: Signal
  log: Pick<Log, 'warn'>
  metrics?: Metrics
  callers: Care['callers']
  heartbeatMs?: number
  /** How long a lost hint may delay an event. */
  pollMs?: number
}

/** What the functions below work on. */
type Inside = Care &
  HubOptions & {
    homes: Homes
    rooms: Rooms
    wheel: Wheel<Member>
    house: House
    isClosing: boolean
  }

const roomsAtOnce = 4
const rechecksAtOnce = 2

/** Opens the hub. It writes events to connections; what happens to the database is the relay's. */
export function openHub(options: HubOptions): Hub {
  const {
    database,
    signal,
    log,
    metrics,
    heartbeatMs = limits.streamHeartbeatSeconds * 1000,
    pollMs = 2_000,
  } = options
  const count = metrics?.count('patio_stream_events_total', 'Events written to streams')
  const house: House = {
    inTurn: openGate(roomsAtOnce),
    onError: error => log.warn({ err: error }, 'events could not be handed out'),
    onDelivered: by => count?.(by),
  }
  const inside: Inside = {
    ...options,
    homes: openHomes(),
    rooms: openRooms(database, signal, house, pollMs),
    leases: openStreamLeases(database, log),
    wheel: openWheel(heartbeatMs, members => void beat(inside, members)),
    house,
    recheckInTurn: openGate(rechecksAtOnce),
    isClosing: false,
  }
  metrics?.gauge('patio_streams', 'Open streams', () => inside.homes.all.size)
  return {
    open: asked => open(inside, asked),
    recheck(organizationId, personId) {
      for (const member of inside.homes.of(organizationId)) {
        if (personId === null || member.caller.personId === personId) void recheck(inside, member)
      }
    },
    size: () => inside.homes.all.size,
    close: () => close(inside),
  }
}

async function open(inside: Inside, asked: StreamAsked): Promise<FastifyReply> {
  const { kind, caller, request, reply, lastEventId, assertAllowed } = asked
  const { organizationId, personId } = caller
  const { rooms, leases } = inside
  if (inside.isClosing) fail('UNAVAILABLE', { retryAfterSeconds: 2 })
  const lease = { organizationId, personId, stream: kind.stream, id: newId() }
  if (!(await leases.take(lease))) {
    fail('TOO_MANY_STREAMS', {
      limit: limits.streamsPerPerson,
      retryAfterSeconds: limits.streamHeartbeatSeconds,
    })
  }
  let room: Room | undefined
  try {
    room = await rooms.enter(roomOfStream(kind.stream, organizationId))
    const asksPast = lastEventId !== undefined && lastEventId !== ''
    const start = asksPast
      ? startAt(lastEventId, (await room.db.first(headOf)) ?? { seq: 0, oldest: 1 })
      : undefined
    if (inside.isClosing) fail('UNAVAILABLE', { retryAfterSeconds: 2 })
    // no waiting from here to being in the room: a stream without a past begins where the room is
    const seq = start?.seq ?? room.seq
    const receiver = beginReceiver(
      request,
      reply,
      openingText(seq, personId, now().toISOString(), start?.reason),
    )
    const member: Member = {
      kind,
      receiver,
      caller,
      from: seq,
      seq,
      isLive: !start,
      lease,
      checks: 0,
      assertAllowed,
    }
    settle(inside, room, member)
    return reply
  } catch (error) {
    if (room) rooms.leave(room)
    leases.release(lease)
    throw error
  }
}

/** Puts a new member in its place, until its connection closes. */
function settle(inside: Inside, room: Room, member: Member): void {
  const { homes, house, leases, rooms, wheel } = inside
  room.members.add(member)
  const leaveHome = homes.add(member)
  const takeOut = wheel.add(member)
  member.receiver.onClose(() => {
    takeOut()
    leaveHome()
    room.members.delete(member)
    rooms.leave(room)
    leases.release(member.lease)
  })
  // a change that was heard of while the stream was being opened was not for it yet
  void recheck(inside, member)
  if (member.isLive) return
  replay(room, member, house).catch(error => {
    house.onError(error)
    leave(member.receiver)
  })
}

async function close(inside: Inside): Promise<void> {
  inside.isClosing = true
  inside.wheel.stop()
  inside.rooms.stop()
  await Promise.all(
    [...inside.homes.all].map(({ receiver }) => {
      const closed = new Promise<void>(resolve => receiver.onClose(resolve))
      leave(receiver)
      return closed
    }),
  )
  await inside.leases.flush()
}
