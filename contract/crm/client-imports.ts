import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Email, Id, Name, Page, pageQuery } from '../shapes.ts'
import { Type } from '../type.ts'
import { editAccess } from './access.ts'
import { clientFields } from './clients.ts'
import { CsvImport, CsvImportDryRun, CsvImportReport, csvForm } from './csv-imports.ts'

/** The columns of an import of clients. */
export const clientImportFields = {
  name: Name(limits.clientName),
  ...clientFields,
  billingContactName: Type.Optional(Name(limits.clientName)),
  billingContactEmail: Type.Optional(Email),
}

export const importClients = operation('POST /clients/import', {
  announces: { event: 'client-import.moved', change: 'created' },
  ...editAccess,
  summary: 'Create clients from a CSV file',
  description:
    'Works like POST /leads/import. The columns are name, taxId, email, phone, address, city, postalCode, country, ' +
    'billingContactName and billingContactEmail, or the usual Spanish names. ' +
    'The rules of POST /clients hold for each line; a billing contact becomes the main one. A line is refused if an ' +
    'active client or an earlier line has the same name and tax ID, or, without a tax ID, the same name and e-mail.',
  requestType: 'multipart/form-data',
  formFields: csvForm,
  reply: CsvImport,
  status: 202,
  alternateReply: { status: 200, reply: CsvImportDryRun },
  errors: ['CSV_NOT_READABLE', 'BODY_TOO_LARGE', 'CLIENT_IMPORT_RUNNING'],
})

export const listClientImports = operation('GET /clients/imports', {
  ...editAccess,
  summary: 'List imports of clients, latest first',
  description: `Imports are listed for ${limits.csvImportDays} days after they end.`,
  query: pageQuery,
  reply: Page(CsvImport),
})

export const readClientImport = operation('GET /clients/imports/:id', {
  ...editAccess,
  summary: 'Retrieve an import of clients',
  params: { id: Id },
  reply: CsvImportReport,
  errors: ['CLIENT_IMPORT_NOT_FOUND'],
})

export const cancelClientImport = operation('POST /clients/imports/:id/cancel', {
  announces: { event: 'client-import.moved' },
  ...editAccess,
  summary: 'Cancel an import of clients',
  description: 'Clients that were created remain. The lines from `stoppedAt` on are deleted.',
  params: { id: Id },
  reply: CsvImport,
  errors: ['CLIENT_IMPORT_NOT_FOUND', 'CLIENT_IMPORT_ENDED'],
})
