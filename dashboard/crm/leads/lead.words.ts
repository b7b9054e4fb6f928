import { words } from '../../words/words.ts'

/** The names of the statuses of a lead. */
export const statusTexts = words({
  es: {
    NEW: 'Nuevo',
    CONTACTED: 'Contactado',
    QUALIFIED: 'Cualificado',
    NEGOTIATING: 'En negociación',
    LOST: 'Perdido',
    WON: 'Convertido',
  },
  en: {
    NEW: 'New',
    CONTACTED: 'Contacted',
    QUALIFIED: 'Qualified',
    NEGOTIATING: 'Negotiating',
    LOST: 'Lost',
    WON: 'Converted',
  },
})

/** The names of the temperatures of a lead. */
export const temperatureTexts = words({
  es: { COLD: 'Frío', WARM: 'Templado', HOT: 'Caliente' },
  en: { COLD: 'Cold', WARM: 'Warm', HOT: 'Hot' },
})

/** The names of the fields of a lead, by the names in the contract. */
export const leadFieldTexts = words({
  es: {
    email: 'Correo',
    phone: 'Teléfono',
    firstName: 'Nombre',
    lastName: 'Apellidos',
    company: 'Empresa',
    source: 'Origen',
    stage: 'Etapa',
    assigneeId: 'Responsable',
    notes: 'Notas',
    score: 'Puntuación',
    temperature: 'Temperatura',
    status: 'Estado',
  },
  en: {
    email: 'E-mail',
    phone: 'Phone',
    firstName: 'First name',
    lastName: 'Last name',
    company: 'Company',
    source: 'Source',
    stage: 'Stage',
    assigneeId: 'Owner',
    notes: 'Notes',
    score: 'Score',
    temperature: 'Warmth',
    status: 'Status',
  },
})
