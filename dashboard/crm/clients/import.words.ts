import { plural, words } from '../../words/words.ts'
import type { ImportKindTexts } from '../imports/import-kind.ts'

/** The texts of the import of clients. */
export const clientImportTexts = words<ImportKindTexts>({
  es: {
    title: 'Importar clientes',
    columnsAbout: 'Cada columna del archivo, y el dato del cliente que contiene.',
    create: (count: number) => plural('es', count, '1 cliente nuevo', `${count} clientes nuevos`),
    duplicates: (count: number) =>
      plural('es', count, '1 línea repite un cliente', `${count} líneas repiten un cliente`),
    isDuplicate: 'Otro cliente tiene el mismo nombre y NIF o correo',
    start: (count: number) => plural('es', count, 'Importar 1 cliente', `Importar ${count} clientes`),
    cancelAbout: 'Los clientes que ya se crearon se quedan. Las demás líneas se borran.',
  },
  en: {
    title: 'Import clients',
    columnsAbout: 'Each column of the file, and the value of the client that it contains.',
    create: (count: number) => plural('en', count, '1 new client', `${count} new clients`),
    duplicates: (count: number) =>
      plural('en', count, '1 line repeats a client', `${count} lines repeat a client`),
    isDuplicate: 'Another client has the same name and tax ID or e-mail',
    start: (count: number) => plural('en', count, 'Import 1 client', `Import ${count} clients`),
    cancelAbout: 'The clients that were created stay. The other lines are deleted.',
  },
})

/** The names of the columns of an import, by the names in the contract. */
export const clientFieldTexts = words({
  es: {
    name: 'Nombre',
    taxId: 'NIF',
    email: 'Correo',
    phone: 'Teléfono',
    address: 'Dirección',
    postalCode: 'Código postal',
    city: 'Ciudad',
    country: 'País',
    billingContactName: 'Contacto de facturación',
    billingContactEmail: 'Correo de facturación',
  },
  en: {
    name: 'Name',
    taxId: 'Tax ID',
    email: 'E-mail',
    phone: 'Phone',
    address: 'Address',
    postalCode: 'Postal code',
    city: 'City',
    country: 'Country',
    billingContactName: 'Billing contact',
    billingContactEmail: 'Billing e-mail',
  },
})
