import { randomBytes } from 'node:crypto'
import { createInvitation } from '#contract/identity/invitations.ts'
import { createRole } from '#contract/identity/roles.ts'
import { units } from '#contract/identity/units.ts'
import type { AuthKind } from '#contract/operation.ts'
import { features, scopes } from '#contract/permissions.ts'
import { createAsset } from '#contract/studio/assets.ts'
import { createCollection } from '#contract/studio/collections.ts'
import { openPortal, type TestCustomer } from '#tests/support/crm/portal.ts'
import { defined, findIn } from '#tests/support/elements.ts'
import { insertOperator } from '#tests/support/identity/people.ts'
import { addressFor, makeToken } from '#tests/support/identity/personal-tokens.ts'
import { signInToken } from '#tests/support/identity/sign-in.ts'
import { makeApplication, type TestApplication } from '#tests/support/integrations/applications.ts'
import { invitationSecret } from '#tests/support/outbox.ts'
import type { Organization, Person, TestServer } from '#tests/support/test-server.ts'
import type { Credential } from './ask.ts'
import type { OperationCase } from './operations.ts'

/**
 * An organization for the invariants: its callers, and functions that create its objects. Each `make` creates
 * a new one.
 */
export type Home = {
  readonly server: TestServer
  readonly organization: Organization
  /** Part of the texts that calls send. */
  readonly mark: string
  /** Part of the texts of objects that were created here, and of nothing that another organization sends. */
  readonly secret: string
  /** Owner and super administrator: nobody in the organization may do more. */
  readonly owner: Person
  /** An unused name. */
  name(noun: string): string
  email(): string
  make: {
    member(): Promise<Person>
    unit(kind: 'DEPARTMENT' | 'WORKSPACE' | 'GROUP'): Promise<string>
    role(): Promise<string>
    invitation(): Promise<{ id: string; email: string; secret: string }>
    asset(): Promise<{ id: string; slug: string }>
    collection(): Promise<string>
  }
  /** The credential for a kind of caller. */
  credential(operation: OperationCase): Promise<Credential>
}

/** Opens an organization for an owner with all rights. */
export async function openHome(server: TestServer): Promise<Home> {
  // unlike those of other organizations, because a search tolerates typos
  const letters = Array.from(randomBytes(10), byte => 'bdfghjkmnpqstvwxyz'[byte % 18]).join('')
  const [mark, secret] = [`mark${letters}`, `hush${letters}`]
  const organization = await server.organization({ name: 'Twin', features: [...features] })
  const owner = await organization.person({
    role: 'OWNER',
    name: 'Twin owner',
    email: `${mark}-owner@example.test`,
  })
  await insertOperator(server, owner)
  let number = 0
  const name = (noun: string) => `${noun} ${mark} ${++number}`
  const email = () => `${mark}-${++number}@example.test`
  const own = (noun: string) => `${noun} ${secret} ${++number}`

  const home: Home = {
    server,
    organization,
    mark,
    secret,
    owner,
    name,
    email,
    make: {
      member: () => organization.person({ name: own('Member'), email: `${secret}-${++number}@example.test` }),
      async unit(kind) {
        const { create } = findIn(units, unit => unit.kind === kind)
        return (await owner.call(create, { body: { name: own('Unit') } })).id
      },
      role: async () =>
        (await owner.call(createRole, { body: { name: own('Role'), permissions: ['STUDIO_VIEW'] } })).id,
      async invitation() {
        const to = `${secret}-${++number}@example.test`
        await server.sql('delete from rate_window')
        const { id } = await owner.call(createInvitation, {
          body: { email: to, name: own('Guest'), role: 'MEMBER' },
        })
        return { id, email: to, secret: invitationSecret(server, to) }
      },
      asset: () =>
        owner.call(createAsset, {
          body: {
            type: 'PROMPT',
            name: own('Asset'),
            description: `For ${secret}`,
            bodyMarkdown: `Written in ${secret}`,
            frontmatter: { note: secret },
            tags: [secret],
          },
        }),
      async collection() {
        const body = { name: own('Collection'), description: `For ${secret}` }
        return (await owner.call(createCollection, { body })).id
      },
    },
    credential: operation => credentialAt(home, operation),
  }
  return home
}

const signed = new WeakMap<Person, Promise<string>>()
const tokens = new WeakMap<Person, Promise<string>>()
const operators = new WeakMap<TestServer, Promise<Person>>()

/** The owner's credential for a kind of caller. */
export async function credentialAt(
  { server, owner }: Home,
  { auth, contract }: OperationCase,
): Promise<Credential> {
  const by: Record<AuthKind, () => Promise<Credential>> = {
    // the portal authenticates its customers itself
    public: async () =>
      /^\/portal\/(?:budgets|invoices)/.test(contract.path)
        ? bearer((await customerOf({ server, owner })).token)
        : {},
    async account() {
      if (!signed.has(owner)) signed.set(owner, signInToken(server, owner))
      return bearer(await defined(signed.get(owner)))
    },
    async operator() {
      if (!operators.has(server)) operators.set(server, server.operator())
      return bearer((await defined(operators.get(server))).token)
    },
    session: async () =>
      contract.responseType === 'text/event-stream'
        ? { query: { token: await streamToken(server, owner) } }
        : bearer(owner.token),
    personalToken: async () => bearer(await personalToken(owner)),
    personalTokenInUrl: async () => ({
      params: { address: await addressFor(server, await personalToken(owner)) },
    }),
    apiKey: async () => byKey((await ownApplication(server, owner)).key),
  }
  return by[auth]()
}

const customers = new WeakMap<TestServer, Map<string, Promise<TestCustomer>>>()

/** A contact who signs in to the portal of an organization. */
export function customerOf({ server, owner }: Pick<Home, 'server' | 'owner'>): Promise<TestCustomer> {
  const there = customers.get(server) ?? new Map<string, Promise<TestCustomer>>()
  customers.set(server, there)
  const own = there.get(owner.organizationId) ?? openPortal(server, owner)
  there.set(owner.organizationId, own)
  return own
}

const applications = new WeakMap<TestServer, Map<string, Promise<TestApplication>>>()

/** The application of an organization, with every scope. */
export function ownApplication(server: TestServer, owner: Person): Promise<TestApplication> {
  const { organizationId: id } = owner
  const there = applications.get(server) ?? new Map<string, Promise<TestApplication>>()
  applications.set(server, there)
  const own =
    there.get(id) ??
    makeApplication(server, { id }, { name: `TestApplication of ${id}`, scopes, principal: owner })
  there.set(id, own)
  return own
}

export function byKey(key: string): Credential {
  return { headers: { 'x-api-key': key } }
}

export function bearer(token: string): Credential {
  return { headers: { authorization: `Bearer ${token}` } }
}

/** The personal access token of a person, the same each time. */
export function personalToken(person: Person): Promise<string> {
  const token = tokens.get(person) ?? makeToken(person)
  tokens.set(person, token)
  return token
}

export async function streamToken(
  server: TestServer,
  { id, organizationId, sessionId }: Person,
): Promise<string> {
  return (await server.api.identity.tokens.sign('stream', { personId: id, organizationId, sessionId })).token
}
