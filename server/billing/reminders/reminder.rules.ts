import { limits } from '#contract/limits.ts'
import type { TemplateText } from '../sending/templates/mail-template.rules.ts'

/** A rule that has missed its day by more than this is not sent any more. */
export const lateDays = limits.reminderLateDays

const subject = 'Recordatorio: factura {{number}} de {{issuerName}}'
const end = '\n\nSi ya la has pagado, no hace falta que hagas nada.\n\nUn saludo,\n{{issuerName}}'
const beforeDue = `Hola:\n\nLa factura {{number}} vence el {{dueDate}}. Queda por pagar {{due}}.${end}`
const afterDue = `Hola:\n\nLa factura {{number}} venció el {{dueDate}} y todavía queda por pagar {{due}}.${end}`

/** The text of a reminder: that of the rule, or else a built-in one. */
export function reminderText(days: number, text: string | null): TemplateText {
  return { subject, body: text ?? (days > 0 ? afterDue : beforeDue) }
}
