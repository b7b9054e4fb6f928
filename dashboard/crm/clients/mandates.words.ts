import { words } from '../../words/words.ts'

export const mandateTexts = words({
  es: {
    title: 'Mandatos de adeudo',
    none: 'Ningún mandato: sus facturas no se cobran por adeudo.',
    all: 'Ver en la lista',
    signedOn: 'firmado el',
    erased: 'Datos personales borrados',
  },
  en: {
    title: 'Direct debit mandates',
    none: 'No mandate: its invoices are not collected by direct debit.',
    all: 'Show in the list',
    signedOn: 'signed on',
    erased: 'Personal data erased',
  },
})

export const mandateStateTexts = {
  es: { ACTIVE: 'Activo', USED: 'Usado', LAPSED: 'Caducado', CANCELLED: 'Cancelado' },
  en: { ACTIVE: 'Active', USED: 'Used', LAPSED: 'Lapsed', CANCELLED: 'Cancelled' },
} as const
