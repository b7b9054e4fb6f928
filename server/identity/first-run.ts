import { randomBytes } from 'node:crypto'
import type { UnitKind } from '#contract/identity/units.ts'
import type { Database } from '#platform/data/database.ts'
import type { CrossTenantTx } from '#platform/data/db.ts'
import { recordEvents } from '#platform/events/audit.ts'
import { newId } from '#platform/ids.ts'
import { firstOf, lookUp, required } from '#platform/required.ts'
import type { DemoOrganization, SeedArea } from '#server/area.ts'
import { addOrganization, addPerson, type Hashing, type NewOrganization } from './accounts.ts'
import type { MemberRole } from './members/member.sql.ts'
import { insertOperator } from './operator/operator.sql.ts'
import { insertUnit, insertUnitMember } from './units/unit.sql.ts'

export { createOperator, createOrganization, isFirstRun } from './accounts.ts'

/** The people and applications of the demo, with their passwords in clear text, which exist nowhere else. */
export type DemoFile = {
  operator: { email: string; password: string }
  organizations: DemoOrganization[]
}

type Person = { name: string; email: string; role: MemberRole }
type Unit = { kind: UnitKind; name: string; members: string[] }
type DemoPlan = NewOrganization & { people: Person[]; units: Unit[] }

const demoPlans: DemoPlan[] = [
  {
    name: 'Acme Studio',
    // so that every guide works without a change of plan
    plan: 'ENTERPRISE',
    features: ['marketplace'],
    people: [
      { name: 'Olivia Archer', email: 'olivia@acme.example', role: 'OWNER' },
      { name: 'Amir Haddad', email: 'amir@acme.example', role: 'ADMIN' },
      { name: 'Mei Tanaka', email: 'mei@acme.example', role: 'MEMBER' },
      { name: 'Jonas Weber', email: 'jonas@acme.example', role: 'MEMBER' },
    ],
    units: [
      { kind: 'DEPARTMENT', name: 'Design', members: ['mei@acme.example'] },
      { kind: 'DEPARTMENT', name: 'Engineering', members: ['amir@acme.example', 'jonas@acme.example'] },
      { kind: 'WORKSPACE', name: 'Website relaunch', members: ['mei@acme.example', 'jonas@acme.example'] },
    ],
  },
  {
    name: 'Borealis',
    plan: 'FREE',
    features: ['marketplace'],
    people: [
      { name: 'Freya Lindqvist', email: 'freya@borealis.example', role: 'OWNER' },
      { name: 'Tomás Rivera', email: 'tomas@borealis.example', role: 'MEMBER' },
    ],
    units: [],
  },
]
const operators: DemoPlan = {
  name: 'Operators',
  plan: 'ENTERPRISE',
  features: ['marketplace'],
  people: [{ name: 'Pat Operator', email: 'operator@patio.example', role: 'OWNER' }],
  units: [],
}

/**
 * Creates two organizations with people, and an operator, each with a random password, in one transaction.
 * Then each of `areaSeeds` adds its area's content.
 */
export async function seedDemo(
  database: Database,
  hashing: Hashing,
  areaSeeds: readonly SeedArea[] = [],
): Promise<DemoFile> {
  // hashing is slow on purpose, so it runs concurrently and before the transaction
  const secrets = new Map(
    await Promise.all(
      [operators, ...demoPlans].flatMap(({ people }) =>
        people.map(async ({ email }) => [email, await newSecret(hashing, email)] as const),
      ),
    ),
  )
  const [first, ...organizations] = await database.transactCrossTenant(async crossTenant => {
    const created: DemoOrganization[] = []
    for (const demoPlan of [operators, ...demoPlans])
      created.push(await seedOrganization(crossTenant, demoPlan, secrets))
    const home = firstOf(created)
    await crossTenant.first(insertOperator, { personId: firstOf(home.people).id, homeId: home.id })
    return created
  })
  const {
    id: operatorId,
    email,
    password,
  } = firstOf(required(first, 'the organization of the operator').people)
  for (const [index, organization] of organizations.entries()) {
    for (const seedArea of areaSeeds) {
      await database.transact(
        organization.id,
        tx => seedArea(tx, organization, index, operatorId),
        recordEvents,
      )
    }
  }
  return { operator: { email, password }, organizations }
}

type Secret = { password: string; hash: string }

async function newSecret(hashing: Hashing, email: string): Promise<Secret> {
  const password = randomBytes(12).toString('base64url')
  return { password, hash: await hashing.hashPassword(password, { email, names: [] }) }
}

async function seedOrganization(
  crossTenant: CrossTenantTx,
  demoPlan: DemoPlan,
  secrets: Map<string, Secret>,
): Promise<DemoOrganization> {
  const { name, plan, units } = demoPlan
  const tx = await addOrganization(crossTenant, demoPlan)
  const people: DemoOrganization['people'] = []
  for (const person of demoPlan.people) {
    const { password, hash } = lookUp(secrets, person.email)
    const id = await addPerson(crossTenant, tx, { ...person, hash })
    people.push({ id, email: person.email, password, role: person.role })
  }
  for (const unit of units) {
    const { id } = await tx.one(insertUnit, { id: newId(), kind: unit.kind, name: unit.name })
    for (const email of unit.members) {
      const { id: personId } = required(
        people.find(person => person.email === email),
        `the person ${email}`,
      )
      await tx.run(insertUnitMember, { unitId: id, personId, kind: unit.kind })
    }
  }
  return { id: tx.organizationId, name, plan, people, applications: [] }
}
