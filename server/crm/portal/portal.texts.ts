import type { Language } from '#platform/language.ts'

const es = {
  portal: (name: string) => `Portal de clientes de ${name}`,
  budgets: 'Presupuestos',
  invoices: 'Facturas',
  signOut: 'Salir',
  signedOut: 'Has salido del portal',
  comeBack: 'Para volver a entrar, pide otro enlace.',
  email: 'Tu correo electrónico',
  sendLink: 'Enviarme un enlace para entrar',
  linkSent: 'Mira tu correo',
  linkSentText: (minutes: number) =>
    `Si conocemos esa dirección, te hemos enviado un enlace. Funciona una vez, durante ${minutes} minutos.`,
  signInTitle: 'Entrar en el portal de clientes',
  worksOnce: 'El enlace de tu correo funciona una sola vez.',
  signIn: 'Entrar',
  none: 'Todavía no hay ninguno.',
  budget: 'Presupuesto',
  total: 'Total',
  states: { SENT: 'Pendiente de tu firma', SIGNED: 'Firmado', DECLINED: 'Rechazado' },
  expired: 'Fuera de plazo',
  severalSigners: 'Este presupuesto lo firman varias personas. Cada una recibe un correo con su enlace.',
  openPdf: 'Abrir el presupuesto (PDF)',
  openSealed: 'Guardar el documento sellado (PDF)',
  back: 'Volver a los presupuestos',
}
const en: typeof es = {
  portal: name => `Customer portal of ${name}`,
  budgets: 'Budgets',
  invoices: 'Invoices',
  signOut: 'Sign out',
  signedOut: 'You have signed out',
  comeBack: 'To sign in again, request another link.',
  email: 'Your e-mail address',
  sendLink: 'Send me a link to sign in',
  linkSent: 'Check your mail',
  linkSentText: minutes =>
    `If we know this address, we have sent a link to it. It works once, within ${minutes} minutes.`,
  signInTitle: 'Sign in to the customer portal',
  worksOnce: 'The link in your mail works once.',
  signIn: 'Sign in',
  none: 'There are none yet.',
  budget: 'Budget',
  total: 'Total',
  states: { SENT: 'Awaiting your signature', SIGNED: 'Signed', DECLINED: 'Declined' },
  expired: 'Expired',
  severalSigners: 'Several people sign this budget. Each of them receives a mail with a link.',
  openPdf: 'Open the budget (PDF)',
  openSealed: 'Save the sealed document (PDF)',
  back: 'Back to the budgets',
}

/** The texts of the portal pages. */
export const texts: Record<Language, typeof es> = { es, en }
