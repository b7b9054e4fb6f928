import { useSearch } from '@tanstack/react-router'
import {
  cancelClientImport,
  importClients,
  listClientImports,
  readClientImport,
} from '#contract/crm/client-imports.ts'
import type { ImportKind } from '../imports/import-kind.ts'
import { ImportPage } from '../imports/import-page.tsx'
import { clientFieldTexts, clientImportTexts } from './import.words.ts'

const clients: ImportKind = {
  operations: {
    start: importClients,
    list: listClientImports,
    read: readClientImport,
    cancel: cancelClientImport,
  },
  fields: Object.keys(clientFieldTexts.en),
  fieldTexts: clientFieldTexts,
  texts: clientImportTexts,
}

/** Imports clients from a CSV file. */
export function ImportClients() {
  const { open } = useSearch({ from: '/o/$organization/clients/import' })
  return <ImportPage kind={clients} open={open} />
}
