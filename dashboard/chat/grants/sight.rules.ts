import type { Grant, GrantObstacle } from '#contract/chat/grants.ts'
import type { GrantCapability, Message } from '#contract/chat/shapes.ts'
import type { Scope } from '#contract/permissions.ts'

/** `depends`: on scopes that the caller may not read. */
export type Answer = 'yes' | 'no' | 'depends'

/** One thing that an application can do in a channel, or not. */
export type Ability = {
  id: AbilityId
  answer: Answer
  reason?: 'scope' | 'notIn' | 'grant' | 'grantor' | 'never'
}
export type AbilityId =
  | 'readsVisible'
  | 'readsInternal'
  | 'readsFiles'
  | 'receives'
  | 'writes'
  | 'proposesAgents'
  | 'organizes'
  | 'managesMembers'

type Rights = Pick<Grant, 'capabilities' | 'effectiveCapabilities' | 'isEffective'>

/**
 * The things that an application sees and does in a channel (GRT-2 to GRT-4, MSG-3, MSG-19). `scopes` is undefined for people
 * who may not read them.
 */
export function abilitiesOf(grant: Rights, scopes: readonly Scope[] | undefined): Ability[] {
  const inChannel = (id: AbilityId, scope: Scope): Ability =>
    grant.isEffective ? withScope(id, scopes, scope) : { id, answer: 'no', reason: 'notIn' }
  const capable = (id: AbilityId, capability: GrantCapability, scope: Scope): Ability => {
    if (!grant.capabilities.includes(capability)) return { id, answer: 'no', reason: 'grant' }
    if (!grant.effectiveCapabilities.includes(capability)) return { id, answer: 'no', reason: 'grantor' }
    return withScope(id, scopes, scope)
  }
  return [
    inChannel('readsVisible', 'chat:messages:view'),
    { id: 'readsInternal', answer: 'no', reason: 'never' },
    { id: 'readsFiles', answer: 'no', reason: 'never' },
    inChannel('receives', 'chat:events:subscribe'),
    inChannel('writes', 'chat:messages:send'),
    inChannel('proposesAgents', 'chat:agents:manage'),
    capable('organizes', 'Crear y organizar canales', 'chat:channels:manage'),
    capable('managesMembers', 'Gestionar miembros', 'chat:members:manage'),
  ]
}

function withScope(id: AbilityId, scopes: readonly Scope[] | undefined, scope: Scope): Ability {
  if (scopes === undefined) return { id, answer: 'depends' }
  return scopes.includes(scope) ? { id, answer: 'yes' } : { id, answer: 'no', reason: 'scope' }
}

type ExampleMessage = Pick<Message, 'id' | 'visibility' | 'content'>

/** The newest message of the channel that an application reads, and the newest that it never learns of. */
export function examplesOf<Row extends ExampleMessage>(
  messages: readonly Row[],
): { visible: Row | undefined; hidden: Row | undefined } {
  const present = messages.filter(({ content }) => content !== null)
  return {
    visible: present.find(({ visibility }) => visibility === 'VISIBLE'),
    hidden: present.find(({ visibility }) => visibility !== 'VISIBLE'),
  }
}

/** Whether a manager repairs the grant by giving it in their own name. */
export function isRepairedByCaller(
  grant: Pick<Grant, 'obstacle' | 'capabilities' | 'effectiveCapabilities'>,
): boolean {
  const ofGrantor: readonly (GrantObstacle | null)[] = [
    'GRANTOR_LEFT',
    'GRANTOR_NOT_PERMITTED',
    'GRANTOR_NOT_IN_CHANNEL',
  ]
  return ofGrantor.includes(grant.obstacle) || hasLostCapability(grant)
}

/** Whether its grantor may no longer do all that the grant names. */
export function hasLostCapability({
  capabilities,
  effectiveCapabilities,
}: Pick<Grant, 'capabilities' | 'effectiveCapabilities'>): boolean {
  return capabilities.some(capability => !effectiveCapabilities.includes(capability))
}
