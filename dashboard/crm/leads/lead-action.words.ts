import { plural, words } from '../../words/words.ts'

/** The names of what can be done with leads. */
export const leadActionTexts = words({
  es: {
    actions: 'Acciones',
    status: 'Estado…',
    assigneeId: 'Responsable…',
    temperature: 'Temperatura…',
    edit: 'Editar…',
    score: 'Puntuar…',
    qualify: 'Cualificar',
    disqualify: 'Descartar…',
    convert: 'Convertir…',
    personalData: 'Exportar sus datos personales',
    erase: 'Borrar sus datos personales…',
    isConverted: 'Un lead convertido ya no cambia',
    isLost: 'Está perdido: primero reábrelo',
    isNotNew: 'Solo se cualifica un lead nuevo',
    qualified: (name: string) => `${name} está cualificado.`,
    exported: (name: string) => `Los datos de ${name} están en tus descargas. La auditoría lo registra.`,
  },
  en: {
    actions: 'Actions',
    status: 'Status…',
    assigneeId: 'Owner…',
    temperature: 'Warmth…',
    edit: 'Edit…',
    score: 'Score…',
    qualify: 'Qualify',
    disqualify: 'Disqualify…',
    convert: 'Convert…',
    personalData: 'Export their personal data',
    erase: 'Erase their personal data…',
    isConverted: 'A converted lead no longer changes',
    isLost: 'It is lost: reopen it first',
    isNotNew: 'Only a new lead can be qualified',
    qualified: (name: string) => `${name} is qualified.`,
    exported: (name: string) => `The data of ${name} is in your downloads. The audit log records it.`,
  },
})

/** The dialogs that change one or many leads. */
export const changeTexts = words({
  es: {
    titles: (field: string, count: number) =>
      `${field} de ${plural('es', count, 'un lead', `${count} leads`)}`,
    titleOfOne: (field: string, name: string) => `${field} de ${name}`,
    reason: 'Motivo',
    reasonHint: 'Queda en el historial. Opcional.',
    unchangeable: (count: number) =>
      plural('es', count, 'Un lead convertido no cambia.', `${count} leads convertidos no cambian.`),
    nothingPossible: 'Los leads convertidos ya no cambian.',
    none: 'Ninguna',
    close: 'Cerrar',
    change: (count: number) => plural('es', count, 'Cambiar el lead', `Cambiar ${count} leads`),
    changed: (count: number) => plural('es', count, 'Un lead ha cambiado.', `${count} leads han cambiado.`),
    nothing: 'Ya tenían estos valores. Nada ha cambiado.',
    named: (names: readonly string[], all: number) =>
      all > names.length ? `${names.join(', ')} y ${all - names.length} más` : names.join(', '),
    failed: (failed: number, all: number) =>
      plural('es', failed, `1 de ${all} leads no ha cambiado`, `${failed} de ${all} leads no han cambiado`),
    LEAD_NOT_FOUND: 'Ya no existe.',
    LEAD_ALREADY_CONVERTED: 'Está convertido y ya no cambia.',
    LEAD_MOVE_NOT_ALLOWED: 'De su estado no se pasa directamente a este.',
  },
  en: {
    titles: (field: string, count: number) =>
      `${field} of ${plural('en', count, 'a lead', `${count} leads`)}`,
    titleOfOne: (field: string, name: string) => `${field} of ${name}`,
    reason: 'Reason',
    reasonHint: 'Stays in the history. Optional.',
    unchangeable: (count: number) =>
      plural('en', count, 'One converted lead does not change.', `${count} converted leads do not change.`),
    nothingPossible: 'Converted leads no longer change.',
    none: 'None',
    close: 'Close',
    change: (count: number) => plural('en', count, 'Change the lead', `Change ${count} leads`),
    changed: (count: number) => plural('en', count, 'One lead changed.', `${count} leads changed.`),
    nothing: 'They had these values already. Nothing changed.',
    named: (names: readonly string[], all: number) =>
      all > names.length ? `${names.join(', ')} and ${all - names.length} more` : names.join(', '),
    failed: (failed: number, all: number) =>
      plural('en', failed, `1 of ${all} leads did not change`, `${failed} of ${all} leads did not change`),
    LEAD_NOT_FOUND: 'It no longer exists.',
    LEAD_ALREADY_CONVERTED: 'It is converted and no longer changes.',
    LEAD_MOVE_NOT_ALLOWED: 'Its status does not lead directly to this one.',
  },
})
