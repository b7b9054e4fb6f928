import { words } from '../words/words.ts'

/** The critical scopes: what an application can do with each. */
export const scopeTexts = words({
  es: {
    'crm:budgets:signatures:verify': 'Verificar firmas de presupuestos',
    'crm:leads:convert': 'Convertir leads en clientes',
    'crm:leads:read:notes': 'Leer las notas de los leads',
    'billing:refund': 'Devolver pagos',
    'billing:charge': 'Cobrar con medios de pago guardados',
  },
  en: {
    'crm:budgets:signatures:verify': 'Verify signatures of budgets',
    'crm:leads:convert': 'Convert leads to clients',
    'crm:leads:read:notes': 'Read the notes of leads',
    'billing:refund': 'Refund payments',
    'billing:charge': 'Charge saved payment methods',
  },
})
