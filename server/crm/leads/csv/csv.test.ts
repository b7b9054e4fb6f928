import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { CsvImportReport } from '#contract/crm/csv-imports.ts'
import { cancelLeadImport, importLeads, listLeadImports, readLeadImport } from '#contract/crm/lead-imports.ts'
import { readLead, syncLeads } from '#contract/crm/leads.ts'
import { leadStatuses } from '#contract/crm/shapes.ts'
import { exportLeads } from '#contract/crm/team.ts'
import { limits } from '#contract/limits.ts'
import { csvLine, escapeFormula, unescapeFormula } from '#platform/csv.ts'
import { eraseLeadOf, makeLead, setStatus } from '#tests/support/crm/leads-and-clients.ts'
import { crowd } from '#tests/support/crowd.ts'
import { findIn, only } from '#tests/support/elements.ts'
import { until } from '#tests/support/processes.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'
import { deleteOldImports } from '../../imports/import-jobs.ts'

let server: TestServer
let organization: Organization
let owner: Person
beforeAll(async () => {
  server = await startTestServer({ statementTimeoutMs: 20_000 })
})
afterAll(() => server?.close())
beforeEach(async () => {
  organization = await server.organization()
  owner = await organization.person({ role: 'OWNER' })
})

type Refused = { statusCode: number; errorCode: string; details: { code: string; message: string }[] }

type Options = { dryRun?: string; mapping?: object | string; by?: Person }

function send(file: string | Buffer, { dryRun, mapping, by = owner }: Options = {}) {
  const form = new FormData()
  form.append('file', new Blob([typeof file === 'string' ? file : new Uint8Array(file)]), 'leads.csv')
  // after the file, as a browser may send it
  if (dryRun !== undefined) form.append('dryRun', dryRun)
  if (mapping !== undefined)
    form.append('mapping', typeof mapping === 'string' ? mapping : JSON.stringify(mapping))
  return by.send(importLeads, { form })
}
/** The report of a finished import. */
async function imported(file: string | Buffer, by = owner): Promise<CsvImportReport> {
  const { status, body, text } = await send(file, { by })
  if (status !== 202 || !('id' in body)) throw new Error(text)
  return ended(body.id, by)
}
async function ended(id: string, by = owner): Promise<CsvImportReport> {
  for (;;) {
    const report = await by.call(readLeadImport, { params: { id } })
    if (report.status !== 'RUNNING') return report
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}
const leads = (columns: string) =>
  server.sql(`select ${columns} from lead where organization_id = $1 order by id`, [organization.id])
const exported = async (by = owner, query = {}) => {
  const answer = await by.send(exportLeads, { query })
  return { ...answer, text: Buffer.from(answer.bytes).toString() }
}

describe('importing', () => {
  test('creates a lead from each line with all fields', async () => {
    const file =
      'E-mail;Phone;First name;LAST_NAME;company;source;stage;notes;score;temperature\r\n' +
      'ada@example.test;600 123 456;Ada;"King; Countess";Engines;Fair;Called;"First line\r\nsecond ""line""";80;HOT\r\n' +
      '\r\n' +
      ';+34 600 000 002; Grace ;;;;;;;\r\n'
    expect(await imported(`\ufeff${file}`)).toEqual({
      id: expect.any(String),
      fileName: 'leads.csv',
      status: 'DONE',
      createdBy: owner.id,
      total: 2,
      done: 2,
      created: 2,
      refused: 0,
      stoppedAt: null,
      ignoredColumns: [],
      lines: [],
      createdAt: expect.any(String),
      endedAt: expect.any(String),
    })
    expect(
      await leads(
        'email, phone_e164, first_name, last_name, company, source, stage, score, temperature, status',
      ),
    ).toEqual([
      {
        email: 'ada@example.test',
        phone_e164: '+34600123456',
        first_name: 'Ada',
        last_name: 'King; Countess',
        company: 'Engines',
        source: 'Fair',
        stage: 'Called',
        score: 80,
        temperature: 'HOT',
        status: 'NEW',
      },
      expect.objectContaining({ email: null, phone_e164: '+34600000002', first_name: 'Grace', score: null }),
    ])
    const [{ id }] = (await leads('id')) as [{ id: string }]
    const { notes } = await owner.call(readLead, { params: { id }, query: { include: ['notes'] } })
    expect(notes).toBe('First line\nsecond "line"')
    const { data } = await owner.call(syncLeads, { query: {} })
    expect(data).toHaveLength(2)
    await server.relayed()
    const events = await server.sql('select name, data from event where organization_id = $1 order by seq', [
      organization.id,
    ])
    expect(events.map(({ name }) => name)).toEqual([
      'lead-import.moved',
      'LEAD_CREATED',
      'LEAD_CREATED',
      'lead-import.moved',
    ])
    const audit = await server.sql(
      `select actor_id, auth, operation, request_id <> '' as has_request_id, detail from audit where organization_id = $1
       order by seq`,
      [organization.id],
    )
    const entry = {
      actor_id: owner.id,
      auth: 'session',
      has_request_id: true,
      operation: 'POST /api/crm/leads/import',
    }
    expect(audit).toEqual([
      { ...entry, detail: { lines: 2 } },
      { ...entry, detail: { leads: [expect.any(String), expect.any(String)] } },
    ])
    expect(await server.sql('select from lead_import_part')).toEqual([])
  })

  test('reports invalid lines by the rules of POST /leads and imports the others', async () => {
    const lines = [
      'email,phone,firstName,notes,score,temperature',
      'no address,,A,,,',
      ',,Nobody,,,',
      '"a@example.test",,"B\nC",,,',
      'b@example.test,,B',
      'c@example.test,,C,,101,TEPID',
      `d@example.test,,${'x'.repeat(limits.leadName + 1)},,1.5,`,
      'e@example.test,,E,nul\0,,',
      'f@example.test,,F,,7,COLD',
    ]
    const { created, refused, lines: events } = await imported(lines.join('\n'))
    expect([created, refused]).toEqual([1, 7])
    expect(events.map(({ line, errors }) => [line, ...errors.map(({ column }) => column)])).toEqual([
      [2, 'email'],
      [3, 'email'],
      [4, 'firstName'],
      [6, null],
      [7, 'score', 'temperature'],
      [8, 'firstName', 'score'],
      [9, 'notes'],
    ])
    expect(await leads('email, score')).toEqual([{ email: 'f@example.test', score: 7 }])
  })

  test('stores nothing in a dry run', async () => {
    const file = 'email\na@example.test\nwrong\nA@Example.test\n'
    const { status, body } = await send(file, { dryRun: 'true' })
    expect(status).toBe(200)
    expect(body).toEqual({
      encoding: 'utf-8',
      delimiter: ',',
      columns: [{ column: 'email', field: 'email' }],
      preview: ['a@example.test', 'wrong', 'A@Example.test'].map((value, at) => ({
        line: at + 2,
        values: [{ field: 'email', value }],
      })),
      created: 2,
      refused: 1,
      ignoredColumns: [],
      lines: [
        { line: 3, id: null, duplicates: 0, errors: [expect.objectContaining({ column: 'email' })] },
        { line: 4, id: null, duplicates: 1, errors: [] },
      ],
    })
    expect(await leads('id')).toEqual([])
    expect((await owner.call(listLeadImports, { query: {} })).items).toEqual([])
    expect((await send(file, { dryRun: 'false' })).status).toBe(202)
    expect((await send(file, { dryRun: 'maybe' })).status).toBe(400)
  })

  test.each([
    ['excel-windows-1252-semicolons.csv', 'windows-1252', ';'],
    ['excel-utf-16-tabs.txt', 'utf-16le', '\t'],
    ['excel-utf-16-big-endian.csv', 'utf-16be', ';'],
    ['excel-utf-8-semicolons.csv', 'utf-8', ';'],
    ['utf-8-commas-quoted.csv', 'utf-8', ','],
    ['excel-separator-line-utf-8.csv', 'utf-8', ';', 3],
    ['excel-separator-line-windows-1252.csv', 'windows-1252', ';', 3],
    ['excel-separator-line-utf-16.csv', 'utf-16le', '\t', 3],
  ])('reads files from Spanish Excel: %s', async (name, encoding, delimiter, firstLine = 2) => {
    const file = readFileSync(join('tests/fixtures/lead-csv', name))
    const { status, body } = await send(file, { dryRun: 'true' })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      encoding,
      delimiter,
      created: 2,
      refused: 0,
      ignoredColumns: ['createdAt'],
      columns: [
        { column: 'Nombre', field: 'firstName' },
        { column: 'Apellidos', field: 'lastName' },
        { column: 'Correo electrónico', field: 'email' },
        { column: 'Teléfono móvil', field: 'phone' },
        { column: 'Razón social', field: 'company' },
        { column: 'Temperatura', field: 'temperature' },
        { column: 'Fecha de creación', field: null },
      ],
      preview: [
        {
          line: firstLine,
          values: [
            { field: 'firstName', value: 'Begoña' },
            { field: 'lastName', value: 'Muñoz Peña' },
            { field: 'email', value: 'begona@example.test' },
            { field: 'phone', value: '600 123 456' },
            { field: 'company', value: 'Peña; «Hijos», S.A.U. 5 €' },
            { field: 'temperature', value: 'COLD' },
          ],
        },
        { line: firstLine + 1 },
      ],
    })
    expect(await imported(file)).toMatchObject({ created: 2, refused: 0 })
    const created = await leads('first_name, last_name, email, phone_e164, company, temperature')
    expect(created.sort((a, b) => String(a.first_name).localeCompare(String(b.first_name)))).toEqual([
      {
        first_name: 'Begoña',
        last_name: 'Muñoz Peña',
        email: 'begona@example.test',
        phone_e164: '+34600123456',
        company: 'Peña; «Hijos», S.A.U. 5 €',
        temperature: 'COLD',
      },
      expect.objectContaining({ first_name: 'Iñaki', temperature: 'HOT' }),
    ])
  })

  test('uses the separator of the sep= line', async () => {
    const file = 'sep=;\nfirstName;"company, in full";email\nAda;"Engines, Ltd";ada@example.test\n'
    const mapping = { 'company, in full': 'company' }
    const { body } = await send(file, { dryRun: 'true', mapping })
    expect(body).toMatchObject({ delimiter: ';', created: 1, preview: [{ line: 3 }] })
    // without it, delimiters within quotation marks do not count
    const quoted = await send('email,"company; or; name"\nada@example.test,Engines\n', {
      dryRun: 'true',
      mapping: { 'company; or; name': 'company' },
    })
    expect(quoted.body).toMatchObject({ delimiter: ',', created: 1 })
    // reports have the line numbers of the file
    const report = await imported('sep=,\r\nemail,firstName\r\nno address,A\r\n,Nobody\r\n')
    expect(report).toMatchObject({ refused: 2, lines: [{ line: 3 }, { line: 4 }] })
    for (const separator of ['|', ':', 'ab']) {
      const refused = await send(`sep=${separator}\nemail${separator}phone\na@example.test${separator}\n`)
      expect(refusalOf(refused)).toEqual([400, 'CSV_NOT_READABLE'])
      expect((refused.body as never as Refused).details).toMatchObject([{ code: 'separator' }])
    }
    // a file with only a sep= line
    expect((await send('sep=;')).status).toBe((await send('')).status)
  })

  test('applies a mapping, which takes precedence over column names', async () => {
    const file = 'Nombre;Móvil;Fijo;Teléfono;Talla\nAda;600 123 456;956 000 000;600 000 001;44\n'
    expect((await send(file, { dryRun: 'true' })).status).toBe(400)
    const mapping = { Nombre: 'company', Fijo: null, Teléfono: null, Talla: null }
    const { body } = await send(file, { dryRun: 'true', mapping })
    expect(body).toMatchObject({
      columns: [
        { column: 'Nombre', field: 'company' },
        { column: 'Móvil', field: 'phone' },
        { column: 'Fijo', field: null },
        { column: 'Teléfono', field: null },
        { column: 'Talla', field: null },
      ],
      ignoredColumns: ['Fijo', 'Teléfono', 'Talla'],
    })
    for (const [input, code] of [
      ['{', 'VALIDATION_ERROR'],
      ['["phone"]', 'VALIDATION_ERROR'],
      [{ Fijo: 'fax' }, 'VALIDATION_ERROR'],
      [{ Fax: 'phone' }, 'CSV_NOT_READABLE'],
      [{ Móvil: 'phone', Fijo: 'phone', Teléfono: null, Talla: null }, 'CSV_NOT_READABLE'],
    ] as const)
      expect(refusalOf(await send(file, { mapping: input }))).toEqual([400, code])
    expect((await send(file, { mapping })).status).toBe(202)
    await until('it is done', async () => (await leads('id')).length === 1)
    expect(await leads('company, phone_e164')).toEqual([{ company: 'Ada', phone_e164: '+34600123456' }])
  })

  test('counts duplicates among stored leads and in the file', async () => {
    const { id } = await makeLead(owner, { email: 'ada@example.test', phone: '+34 600 123 456' })
    const { lines } = await imported(
      'email,phone\nADA@example.test,600123456\nx@example.test,\nx@example.test,600 123 456\ny@example.test,\n',
    )
    expect(lines.map(({ line, duplicates }) => [line, duplicates])).toEqual([
      [2, 1],
      [4, 3],
    ])
    expect(lines.every(({ id: one }) => one !== null && one !== id)).toBe(true)
    // only the database counts the second one
    expect((await imported('email\nx@example.test\n')).lines).toMatchObject([{ line: 2, duplicates: 2 }])
  })

  test.each<[string, string | Buffer, string]>([
    ['nothing', '', 'empty'],
    ['no names', '\n\n', 'empty'],
    ['an unknown column', 'email,shoe size\na@example.test,44\n', 'columns'],
    ['a column twice', 'email,E-Mail\na@example.test,b@example.test\n', 'columns'],
    ['neither e-mail nor telephone', 'firstName\nAda\n', 'columns'],
    ['no text', Buffer.from('PK\x03\x04\0\0\x81\xff', 'latin1'), 'encoding'],
    ['UTF-16 without a mark', Buffer.from('\xff\0a\0\n\0', 'latin1'), 'encoding'],
    ['half a character of UTF-16', Buffer.from('\xff\xfee\0m', 'latin1'), 'encoding'],
    ['an open quotation mark', 'email\na@example.test\n"b@example.test\n', 'CSV_QUOTE_NOT_CLOSED'],
    ['a quotation mark within', 'email,company\na@example.test,A "B" C\n', 'INVALID_OPENING_QUOTE'],
    ['an endless line', `email\n${'x'.repeat(200_000)}\n`, 'CSV_MAX_RECORD_SIZE'],
    ['too many lines', `email\n${'a@example.test\n'.repeat(limits.csvImportLines + 1)}`, 'maxLines'],
  ])('refuses a file with %s', async (_what, file, code) => {
    const answer = await send(file)
    const { details } = answer.body as unknown as Refused
    expect([...refusalOf(answer), details.map(detail => detail.code)]).toEqual([
      400,
      'CSV_NOT_READABLE',
      [code],
    ])
    expect(await leads('id')).toEqual([])
  })

  test('refuses a form that is truncated anywhere within its file', async () => {
    const head = '--part\r\nContent-Disposition: form-data; name="file"; filename="leads.csv"\r\n\r\n'
    for (const beginning of ['', 'email\n', '\xc2', '\r', '\r\n-', 'email\n', '\xc2', '\r', '\r\n-']) {
      const answer = await fetch(`${server.url}/api/crm/leads/import`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${owner.token}`,
          'content-type': 'multipart/form-data; boundary=part',
        },
        body: Buffer.from(head + beginning, 'latin1'),
      })
      expect(await answer.json(), JSON.stringify(beginning)).toMatchObject({ errorCode: 'MALFORMED_BODY' })
    }
  })

  test('refuses a form without a file, with two files, with an unknown field, or too large', async () => {
    const form = new FormData()
    form.append('dryRun', 'true')
    expect((await owner.send(importLeads, { form })).status).toBe(400)
    form.append('file', new Blob(['email\n']), 'a.csv')
    form.append('file', new Blob(['email\n']), 'b.csv')
    expect((await owner.send(importLeads, { form })).status).toBe(400)
    const other = new FormData()
    other.append('sheet', new Blob(['email\n']), 'a.csv')
    expect((await owner.send(importLeads, { form: other })).status).toBe(400)
    const large = await send(Buffer.alloc(limits.csvImportBytes + 1, 'x'))
    expect(refusalOf(large)).toEqual([413, 'BODY_TOO_LARGE'])
  })

  test('ignores notes if the caller may not read them, and requires the permission to edit', async () => {
    const clerk = await organization.person({ permissions: ['CRM_VIEW', 'CRM_EDIT'] })
    const report = await imported('email,notes,id\na@example.test,Said much,c1\n', clerk)
    expect(report).toMatchObject({ created: 1, ignoredColumns: ['notes', 'id'] })
    expect(await leads('notes')).toEqual([{ notes: null }])
    const viewer = await organization.person({ permissions: ['CRM_VIEW'] })
    expect(refusalOf(await send('email\n', { by: viewer }))).toEqual([403, 'PERMISSION_DENIED'])
  })

  test('reports where it stopped; the lines before are imported', async () => {
    await server.sql(`create or replace function break_off() returns trigger language plpgsql as
      $$ begin if new.company = 'Breaks off' then raise exception 'broken'; end if; return new; end $$`)
    await server.sql(
      'create trigger break_off before insert on lead for each row execute function break_off()',
    )
    try {
      const good = Array.from({ length: limits.csvImportBatch }, (_, n) => `a${n}@example.test,`)
      const file = ['email,company', ...good, 'b@example.test,Breaks off', ...good].join('\n')
      const created = limits.csvImportBatch
      expect(await imported(file)).toMatchObject({
        status: 'STOPPED',
        created,
        done: created,
        total: 2 * created + 1,
        stoppedAt: created + 2,
      })
      expect(await leads('id')).toHaveLength(created)
      expect(await server.sql('select from lead_import_part')).toEqual([])
    } finally {
      await server.sql('drop trigger break_off on lead')
    }
  })

  test('runs one at a time, and can be read, listed and cancelled with CRM_EDIT', async () => {
    // no worker claims it
    await server.sql(`alter table lead_import alter next_run_at set default now() + interval '1 hour'`)
    try {
      const file = 'email,notes\nada@example.test,Said much\n'
      const answers = await Promise.all([send(file), send(file)])
      expect(answers.map(({ status }) => status).sort()).toEqual([202, 409])
      expect(refusalOf(findIn(answers, ({ status }) => status === 409))).toEqual([409, 'LEAD_IMPORT_RUNNING'])
      const stored = await server.sql<{ lines: string }>('select lines from lead_import_part')
      expect(only(stored).lines).not.toMatch(/ada|Said/)
      const { items, total } = await owner.call(listLeadImports, { query: { limit: 1 } })
      expect([items, total]).toMatchObject([[{ status: 'RUNNING', total: 1, done: 0, endedAt: null }], 1])
      const params = { id: only(items).id }

      const viewer = await organization.person({ permissions: ['CRM_VIEW'] })
      const stranger = await (await server.organization()).person({ role: 'OWNER' })
      expect((await stranger.call(listLeadImports, { query: {} })).items).toEqual([])
      for (const operation of [readLeadImport, cancelLeadImport]) {
        expect(refusalOf(await viewer.send(operation, { params }))).toEqual([403, 'PERMISSION_DENIED'])
        expect(refusalOf(await stranger.send(operation, { params }))).toEqual([404, 'LEAD_IMPORT_NOT_FOUND'])
      }

      const cancelled = await owner.call(cancelLeadImport, { params })
      expect(cancelled).toMatchObject({ status: 'CANCELLED', done: 0, stoppedAt: 2 })
      expect(await owner.call(readLeadImport, { params })).toEqual({ ...cancelled, lines: [] })
      expect(refusalOf(await owner.send(cancelLeadImport, { params }))).toEqual([409, 'LEAD_IMPORT_ENDED'])
      expect(await server.sql('select from lead_import_part')).toEqual([])
    } finally {
      await server.sql('alter table lead_import alter next_run_at set default now()')
    }
    expect(await imported('email\n')).toMatchObject({ status: 'DONE', total: 0, created: 0 })
    expect(await imported('email\nada@example.test\n')).toMatchObject({ status: 'DONE', created: 1 })
  })

  test('is deleted after the retention period', async () => {
    const { id } = await imported('email\n')
    await imported('email\n')
    await server.sql(
      `update lead_import set ended_at = now() - interval '${limits.csvImportDays} days' where id = $1`,
      [id],
    )
    expect(await deleteOldImports(server.api.services.database)).toBe(1)
    expect((await owner.call(listLeadImports, { query: {} })).total).toBe(1)
  })

  test('imports a large file in many steps without blocking others', async () => {
    const count = 4 * limits.csvImportBatch
    const lines = Array.from(
      { length: count },
      (_, n) => `row-${n}@example.test,Ada ${n},King,Engines of ${n}`,
    )
    const file = `email,firstName,lastName,company\n${lines.join('\n')}\n`
    const { id } = await makeLead(owner)
    let isDone = false
    const waits: number[] = []
    const others = (async () => {
      while (!isDone) {
        const from = performance.now()
        await owner.call(readLead, { params: { id } })
        waits.push(performance.now() - from)
        await new Promise(resolve => setTimeout(resolve, 20))
      }
    })()
    const report = await imported(file).finally(() => {
      isDone = true
    })
    await others
    expect(report).toMatchObject({ created: count, refused: 0, stoppedAt: null, lines: [] })
    const moments = await server.sql(
      'select count(distinct created_at)::int as n from lead where organization_id = $1',
      [organization.id],
    )
    expect(moments).toEqual([{ n: count / limits.csvImportBatch + 1 }])
    expect(waits.length).toBeGreaterThan(3)
    expect(Math.max(...waits)).toBeLessThan(3_000 * crowd())
    const { text } = await exported()
    expect(text.split('\r\n')).toHaveLength(count + 3)
  })
})

describe('exporting', () => {
  test('contains all leads except erased ones, and can be imported again', async () => {
    const input = {
      phone: '+34 600 123 456',
      firstName: '=cmd()',
      lastName: "'-x",
      company: 'A, "B"; C',
      source: '@fair',
      stage: 'Called',
      notes: '+1\nsecond',
      score: 0,
      temperature: 'WARM',
    } as const
    const created = await makeLead(owner, input)
    const lost = await makeLead(owner)
    await setStatus(server, organization.id, lost.id, 'LOST')
    const erased = await makeLead(owner)
    await eraseLeadOf(owner, erased.id)
    const { status, headers, text } = await exported()
    expect([status, headers.get('content-type'), headers.get('content-disposition')]).toEqual([
      200,
      'text/csv; charset=utf-8',
      'attachment; filename="leads.csv"',
    ])
    expect(text).toBe(
      '\ufeffid,status,assigneeId,createdAt,updatedAt,email,phone,firstName,lastName,company,source,stage,notes,score,temperature\r\n' +
        `${created.id},NEW,,${created.createdAt},${created.updatedAt},${created.email},'+34 600 123 456,'=cmd(),''-x,"A, ""B""; C",'@fair,Called,"'+1\nsecond",0,WARM\r\n` +
        text.split('\r\n')[2] +
        '\r\n',
    )
    expect(text).toContain(`${lost.id},LOST`)
    expect(text).not.toContain(erased.id)
    const chosen = await exported(owner, { status: ['LOST', 'WON'] })
    expect(
      chosen.text
        .split('\r\n')
        .slice(1, -1)
        .map(line => line.split(',')[0]),
    ).toEqual([lost.id])

    const elsewhere = await (await server.organization()).person({ role: 'OWNER' })
    expect(await imported(text, elsewhere)).toMatchObject({
      created: 2,
      refused: 0,
      ignoredColumns: ['id', 'status', 'assigneeId', 'createdAt', 'updatedAt'],
    })
    const { data } = await elsewhere.call(syncLeads, { query: { include: ['scoring', 'notes'] } })
    expect(data.find(({ email }) => email === created.email)).toMatchObject(input)
  })

  test('is recorded in the audit log before the first lead is sent', async () => {
    const viewer = await organization.person({ permissions: ['CRM_VIEW'] })
    await makeLead(owner, { firstName: 'Ada' })
    const lost = await makeLead(owner)
    await setStatus(server, organization.id, lost.id, 'LOST')
    await eraseLeadOf(owner, (await makeLead(owner)).id)
    await exported()
    await exported(viewer, { status: ['LOST', 'LOST', 'WON'] })
    await server.relayed()
    const rows = await server.sql(
      `select actor_id, subject, changed, detail from audit
       where organization_id = $1 and operation = 'GET /api/crm/leads/export' order by seq`,
      [organization.id],
    )
    const entry = { subject: organization.id, changed: [] }
    expect(rows).toEqual([
      { ...entry, actor_id: owner.id, detail: { leads: 2, status: [...leadStatuses], notes: true } },
      { ...entry, actor_id: viewer.id, detail: { leads: 1, status: ['LOST', 'WON'], notes: false } },
    ])
  })

  test('contains notes only for callers who may read them, and requires CRM_VIEW', async () => {
    await makeLead(owner, { notes: 'Said much' })
    const viewer = await organization.person({ permissions: ['CRM_VIEW'] })
    const { text } = await exported(viewer)
    expect(text).not.toMatch(/notes|Said much/)
    expect((await exported()).text).toMatch(/Said much/)
    const other = await organization.person({ permissions: ['STUDIO_VIEW'] })
    expect(refusalOf(await other.send(exportLeads, { query: {} }))).toEqual([403, 'PERMISSION_DENIED'])
    const stranger = await (await server.organization()).person({ role: 'OWNER' })
    expect((await exported(stranger)).text.split('\r\n')).toHaveLength(2)
    expect((await owner.send(exportLeads, { query: { status: ['OPEN'] as never } })).status).toBe(400)
  })
})

test('escapes texts that a spreadsheet would read as a formula, reversibly', () => {
  for (const text of ['=1+1', '+34 600', '-x', '@a', '\tx', '\rx', '＝1', "'=1", "''=1"]) {
    expect(escapeFormula(text)).toBe(`'${text}`)
    expect(unescapeFormula(escapeFormula(text))).toBe(text)
  }
  for (const text of ['', 'a=1', "'tis", "it's", '1-2', ' =1', 'ñ']) {
    expect(escapeFormula(text)).toBe(text)
    expect(unescapeFormula(text)).toBe(text)
  }
  expect(csvLine(['a', null, -1, 'b,c', 'd"e', 'f\ng'])).toBe('a,,-1,"b,c","d""e","f\ng"\r\n')
})
