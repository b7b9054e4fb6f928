import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { approveAgent, pauseAgent, rejectAgent, resumeAgent, setAgentBudget } from '#contract/chat/agents.ts'
import { readOwnAgent, withdrawAgent } from '#contract/chat/application-agents.ts'
import {
  type AgentFixture,
  addApplication,
  agentEvents,
  createAgentFixture,
  propose,
  reportExecution,
} from '#tests/support/chat/agents.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'
import { expireProposals } from './agent-expiry.sql.ts'

let server: TestServer
let fixture: AgentFixture
beforeAll(async () => {
  server = await startTestServer()
  fixture = await createAgentFixture(server)
})
afterAll(() => server?.close())

const actions = [
  'approve',
  'reject',
  'withdraw',
  'pause',
  'resume',
  'report',
  'expire',
  'raise',
  'lower',
  'turn of the month',
] as const
type Action = (typeof actions)[number]

/** A model of the states of an agent by AGT-3 to AGT-9, without product code. */
function openModel() {
  let decided = 'PENDING_APPROVAL'
  let cap = 10
  let spent = 0
  // below every cap, because a cap of 0 can be exceeded too
  let notifiedCap = -1
  const events = ['CHAT_AGENT_PENDING_APPROVAL']
  const isOver = () => spent > cap
  const isPausedByBudget = () => decided === 'ACTIVE' && isOver()
  function notify() {
    if (!isOver() || cap <= notifiedCap) return
    notifiedCap = cap
    events.push('CHAT_AGENT_BUDGET_EXCEEDED')
  }
  const rules: Record<Action, () => number> = {
    approve: () => {
      if (decided !== 'PENDING_APPROVAL') return 409
      decided = 'ACTIVE'
      events.push('CHAT_AGENT_APPROVED')
      return 200
    },
    reject: () => {
      if (decided !== 'PENDING_APPROVAL') return 409
      decided = 'REJECTED REJECTED'
      events.push('CHAT_AGENT_REJECTED')
      return 200
    },
    withdraw: () => {
      if (!decided.startsWith('REJECTED')) decided = 'WITHDRAWN'
      return 200
    },
    pause: () => {
      if (decided !== 'ACTIVE') return 409
      decided = 'PAUSED MANUAL'
      return 200
    },
    resume: () => {
      if (decided !== 'PAUSED MANUAL' || isOver()) return 409
      decided = 'ACTIVE'
      return 200
    },
    report: () => {
      if (decided !== 'ACTIVE' || isOver()) return 409
      spent += 6
      events.push('CHAT_AGENT_TASK_EXECUTED')
      notify()
      return 201
    },
    expire: () => {
      if (decided !== 'PENDING_APPROVAL') return 0
      decided = 'REJECTED EXPIRED'
      // the background job writes the state later; until then no transition is possible
      events.push('CHAT_AGENT_REJECTED')
      return 0
    },
    raise: () => {
      cap += 5
      return 200
    },
    lower: () => {
      const wasOver = isOver()
      cap = Math.max(0, cap - 5)
      if (!wasOver) notify()
      return 200
    },
    'turn of the month': () => {
      spent = 0
      notifiedCap = -1
      return 0
    },
  }
  return {
    rules,
    notices: events,
    cap: () => cap,
    displayedState: () => (isPausedByBudget() ? 'PAUSED BUDGET' : decided),
  }
}

it('every sequence of actions ends in the state of the model', async () => {
  await fc.assert(
    fc.asyncProperty(
      // most sequences start with an approval, which allows the most actions
      fc.tuple(
        fc.constantFrom<Action[]>([], ['approve'], ['approve']),
        fc.array(fc.constantFrom(...actions), { minLength: 1, maxLength: 12 }),
      ),
      async ([firstActions, laterActions]) => {
        const source = await addApplication(server, fixture)
        const model = openModel()
        const setCap = (capMicros: number) =>
          administrator.send(setAgentBudget, { params: { applicationId: source.id }, body: { capMicros } })
        const administrator = await fixture.organization.person({ role: 'OWNER' })
        await setCap(model.cap())
        const { id: agentId } = await propose({ ...fixture, source })
        const params = { agentId }
        const acts: Record<Action, () => Promise<unknown>> = {
          approve: () => fixture.owner.send(approveAgent, { params }),
          reject: () => fixture.owner.send(rejectAgent, { params }),
          withdraw: () => source.client.send(withdrawAgent, { params }),
          pause: () => fixture.owner.send(pauseAgent, { params }),
          resume: () => fixture.owner.send(resumeAgent, { params }),
          report: () => reportExecution(source, agentId, { costMicros: 6 }),
          expire: () =>
            server.sql(
              'update chat_agent set expires_at = now() - make_interval(secs => 0.001) where id = $1',
              [agentId],
            ),
          raise: () => setCap(model.cap()),
          lower: () => setCap(model.cap()),
          'turn of the month': () =>
            server.sql(`delete from chat_agent_month where application_id = $1`, [source.id]),
        }
        for (const action of [...firstActions, ...laterActions]) {
          const expected = model.rules[action]()
          const { status = 0 } = (await acts[action]()) as { status?: number }
          const shown = await source.client.call(readOwnAgent, { params })
          const state = [shown.status, shown.statusReason].filter(Boolean).join(' ')
          expect([action, status, state]).toEqual([action, expected, model.displayedState()])
        }
        // the worker does the same every few seconds, before or after the test
        await expireProposals(server.api.services.database)
        const events = (await agentEvents(server, fixture.organization.id)).filter(
          ({ data, about }) =>
            data.agentId === agentId || (about as { applicationId?: string }).applicationId === source.id,
        )
        expect(events.map(({ name }) => name)).toEqual(model.notices)
      },
    ),
    { numRuns: 25 },
  )
})
