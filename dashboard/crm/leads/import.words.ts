import { plural, words } from '../../words/words.ts'
import type { ImportKindTexts } from '../imports/import-kind.ts'

/** The texts of the import of leads. */
export const leadImportTexts = words<ImportKindTexts>({
  es: {
    title: 'Importar leads',
    columnsAbout: 'Cada columna del archivo, y el dato del lead que contiene.',
    create: (count: number) => plural('es', count, '1 lead nuevo', `${count} leads nuevos`),
    duplicates: (count: number) =>
      plural('es', count, '1 línea repite un lead', `${count} líneas repiten un lead`),
    isDuplicate: 'Otro lead tiene el mismo correo o teléfono',
    start: (count: number) => plural('es', count, 'Importar 1 lead', `Importar ${count} leads`),
    cancelAbout: 'Los leads que ya se crearon se quedan. Las demás líneas se borran.',
  },
  en: {
    title: 'Import leads',
    columnsAbout: 'Each column of the file, and the value of the lead that it contains.',
    create: (count: number) => plural('en', count, '1 new lead', `${count} new leads`),
    duplicates: (count: number) =>
      plural('en', count, '1 line repeats a lead', `${count} lines repeat a lead`),
    isDuplicate: 'Another lead has the same e-mail or phone',
    start: (count: number) => plural('en', count, 'Import 1 lead', `Import ${count} leads`),
    cancelAbout: 'The leads that were created stay. The other lines are deleted.',
  },
})
