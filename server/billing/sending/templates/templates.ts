import * as contract from '#contract/billing/templates.ts'
import { limits } from '#contract/limits.ts'
import { fail } from '#platform/fail.ts'
import { command, query, type ServedOperation } from '#platform/http/operation.ts'
import { newId } from '#platform/ids.ts'
import {
  assertVariables,
  changedTemplateFields,
  showTemplate,
  type TemplateRow,
  withTemplateFields,
} from './mail-template.rules.ts'
import {
  deleteTemplate,
  findTemplate,
  insertTemplate,
  listTemplates,
  lockTemplates,
  setTemplate,
} from './mail-template.sql.ts'
import { preview, test } from './preview.ts'

const list = query(contract.listInvoiceTemplates, async ({ db }) => ({
  items: (await listTemplates(db)).map(showTemplate),
}))

const read = query(contract.readInvoiceTemplate, async ({ db, params }) =>
  showTemplate((await findTemplate(db, params.templateId)) ?? fail('TEMPLATE_NOT_FOUND')),
)

const create = command(contract.createInvoiceTemplate, async ({ tx, body, audit }) => {
  const { subject, body: text } = body
  assertVariables({ subject, body: text })
  const template = withTemplateFields(blank(newId()), body)
  audit(template.id, ['name', 'subject', 'body', ...(template.is_default ? ['isDefault'] : [])])
  await lockTemplates(tx)
  if ((await listTemplates(tx)).length >= limits.templatesPerOrganization) fail('TOO_MANY_TEMPLATES')
  return showTemplate(await insertTemplate(tx, template))
})

const update = command(contract.updateInvoiceTemplate, async ({ tx, params, body, audit }) => {
  if (Object.keys(body).length === 0) fail('NOTHING_TO_CHANGE')
  const { subject, body: text } = body
  assertVariables({ ...(subject !== undefined && { subject }), ...(text !== undefined && { body: text }) })
  await lockTemplates(tx)
  const before = (await findTemplate(tx, params.templateId)) ?? fail('TEMPLATE_NOT_FOUND')
  const after = withTemplateFields(before, body)
  const changed = changedTemplateFields(before, after)
  audit(before.id, changed)
  return showTemplate(changed.length === 0 ? before : await setTemplate(tx, after))
})

const remove = command(contract.removeInvoiceTemplate, async ({ tx, params, audit }) => {
  await lockTemplates(tx)
  const { id } = (await findTemplate(tx, params.templateId)) ?? fail('TEMPLATE_NOT_FOUND')
  await deleteTemplate(tx, id)
  audit(id)
})

function blank(id: string): TemplateRow {
  return { id, name: '', subject: '', body: '', is_default: false, created_at: '', updated_at: '' }
}

export const templateOperations: ServedOperation[] = [list, create, read, update, remove, preview, test]
