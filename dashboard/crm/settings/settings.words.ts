import { words } from '../../words/words.ts'

export const crmSettingsTexts = words({
  es: {
    title: 'CRM',
    reading: 'Leyendo los ajustes',
    readOnly: 'Solo quienes gestionan la organización pueden cambiar esto.',
    phones: 'Teléfonos',
    phonesAbout:
      'Un número sin prefijo internacional se lee como de este país. Vale para los números que se escriban a partir de ahora.',
    country: 'País',
    countryHint: 'Escribe el principio de su nombre.',
    save: 'Guardar país',
    saved: (country: string) => `Guardado: ${country}.`,
  },
  en: {
    title: 'CRM',
    reading: 'Reading the settings',
    readOnly: 'Only people who manage the organization can change this.',
    phones: 'Telephone numbers',
    phonesAbout:
      'A number without an international prefix is read as one of this country. This applies to numbers entered from now on.',
    country: 'Country',
    countryHint: 'Type the beginning of its name.',
    save: 'Save country',
    saved: (country: string) => `Saved: ${country}.`,
  },
})

export const portalSettingsTexts = words({
  es: {
    title: 'Portal del cliente',
    about:
      'Los contactos de un cliente piden aquí un enlace por correo, sin cuenta. Leen y firman sus presupuestos, y ven las facturas quienes las reciben. Publica esta dirección en tu web.',
    copy: 'Copiar la dirección',
    greeting: 'Saludo del portal',
    greetingEs: 'Saludo en español',
    greetingEn: 'Saludo en inglés',
    greetingHint:
      'Texto sin formato sobre el formulario de entrada y en la primera página. Lo lee cualquiera que tenga la dirección. Si falta un idioma, se muestra el otro.',
    save: 'Guardar saludo',
    saved: 'Saludo guardado.',
  },
  en: {
    title: 'Customer portal',
    about:
      'Contacts of a client request a link by mail here, without an account. They read and sign their budgets, and those who receive invoices see them. Publish this address on your website.',
    copy: 'Copy the address',
    greeting: 'Greeting of the portal',
    greetingEs: 'Greeting in Spanish',
    greetingEn: 'Greeting in English',
    greetingHint:
      'Plain text above the form to sign in, and on the first page. Anybody who has the address can read it. If one language is missing, the other one is shown.',
    save: 'Save greeting',
    saved: 'Greeting saved.',
  },
})

export const issuerTexts = words({
  es: {
    title: 'Emisor',
    about: 'La identidad legal de tu organización en presupuestos y facturas.',
    reading: 'Leyendo el emisor',
    readOnly: 'Solo quienes gestionan la organización pueden cambiar esto.',
    missing: 'Falta el emisor: no se puede emitir ninguna factura.',
    missingAbout:
      'Los presupuestos salen sin tus datos fiscales, y los correos llevan el nombre de la organización.',
    appliesTo: 'Un cambio vale para documentos nuevos. Las facturas ya emitidas conservan su emisor.',
    identity: 'Identidad',
    address: 'Domicilio',
    reach: 'Contacto y moneda',
    legalName: 'Razón social',
    taxId: 'NIF',
    street: 'Dirección',
    postalCode: 'Código postal',
    city: 'Ciudad',
    country: 'País',
    email: 'Correo',
    emailHint: 'Aquí llegan las respuestas a los correos con facturas.',
    phone: 'Teléfono',
    currency: 'Moneda',
    currencyHint: 'La de presupuestos y facturas nuevos que no digan otra.',
    save: 'Guardar emisor',
    saved: 'Emisor guardado. Vale para documentos nuevos.',
  },
  en: {
    title: 'Issuer',
    about: 'The legal identity of your organization on budgets and invoices.',
    reading: 'Reading the issuer',
    readOnly: 'Only people who manage the organization can change this.',
    missing: 'There is no issuer: no invoice can be issued.',
    missingAbout: 'Budgets come without your tax data, and mails have the name of the organization.',
    appliesTo: 'A change applies to new documents. Issued invoices keep their issuer.',
    identity: 'Identity',
    address: 'Address',
    reach: 'Contact and currency',
    legalName: 'Legal name',
    taxId: 'Tax ID',
    street: 'Address',
    postalCode: 'Postal code',
    city: 'City',
    country: 'Country',
    email: 'E-mail',
    emailHint: 'Replies to mails with invoices arrive here.',
    phone: 'Telephone',
    currency: 'Currency',
    currencyHint: 'That of new budgets and invoices which name no other.',
    save: 'Save issuer',
    saved: 'Issuer saved. It applies to new documents.',
  },
})

export const signingReminderTexts = words({
  es: {
    title: 'Recordatorios de firma',
    about:
      'Quien no responde a un presupuesto enviado por correo recibe el enlace otra vez. El enlace anterior deja de funcionar.',
    remind: 'Recordar a quien no responde',
    days: 'Días de espera',
    daysHint: 'Desde el último correo.',
    most: 'Recordatorios como máximo',
    save: 'Guardar recordatorios',
    saved: 'Recordatorios guardados.',
    off: 'No se envían recordatorios.',
    summary: (days: number, most: number) =>
      `Cada ${days === 1 ? 'día' : `${days} días`} sin respuesta, como máximo ${most} ${most === 1 ? 'vez' : 'veces'}.`,
  },
  en: {
    title: 'Reminders to sign',
    about:
      'People who do not answer a budget that was mailed to them receive the link again. The previous link stops working.',
    remind: 'Remind people who do not answer',
    days: 'Days to wait',
    daysHint: 'Since the last mail.',
    most: 'Reminders at most',
    save: 'Save reminders',
    saved: 'Reminders saved.',
    off: 'No reminders are sent.',
    summary: (days: number, most: number) =>
      `After every ${days === 1 ? 'day' : `${days} days`} without an answer, at most ${most === 1 ? 'once' : `${most} times`}.`,
  },
})
