import { words } from '../../words/words.ts'

export const findingTexts = words({
  es: {
    block: 'Impide publicar',
    warn: 'Aviso',
    note: 'Nota',
    findings: 'Hallazgos',
    none: 'Sin hallazgos',
    line: (line: number) => `línea ${line}`,
    whole: 'Todo el contenido',
    blocks: 'impiden publicar',
    warns: 'avisos',
    notes: 'notas',
  },
  en: {
    block: 'Blocks',
    warn: 'Warning',
    note: 'Note',
    findings: 'Findings',
    none: 'No findings',
    line: (line: number) => `line ${line}`,
    whole: 'The whole content',
    blocks: 'blocking',
    warns: 'warnings',
    notes: 'notes',
  },
})

const remove = 'Quítalo y revócalo donde se emitió: lo puede usar cualquiera que lea esta versión.'
const closely = 'Quien revisa lo mira con detalle.'

/**
 * The meaning of each finding: its title in both languages, and the advice in Spanish. The server writes the English
 * message, which says more than the code.
 */
export const findingMeanings: Readonly<Record<string, { es: string; en: string; todo: string }>> = {
  PRIVATE_KEY: { es: 'Una clave privada', en: 'A private key', todo: remove },
  AWS_KEY: { es: 'Una clave de AWS', en: 'An AWS key', todo: remove },
  AWS_SECRET: { es: 'Una clave secreta de AWS', en: 'An AWS secret', todo: remove },
  GITHUB_TOKEN: { es: 'Un token de GitHub', en: 'A GitHub token', todo: remove },
  GITLAB_TOKEN: { es: 'Un token de GitLab', en: 'A GitLab token', todo: remove },
  NPM_TOKEN: { es: 'Un token de npm', en: 'An npm token', todo: remove },
  PYPI_TOKEN: { es: 'Un token de PyPI', en: 'A PyPI token', todo: remove },
  PATIO_TOKEN: { es: 'Una clave de este producto', en: 'A key of this product', todo: remove },
  PATIO_LINK: { es: 'Un enlace secreto de pago o tarjeta', en: 'A secret link', todo: remove },
  OPENAI_KEY: { es: 'Una clave de OpenAI', en: 'An OpenAI key', todo: remove },
  ANTHROPIC_KEY: { es: 'Una clave de Anthropic', en: 'An Anthropic key', todo: remove },
  HUGGING_FACE_TOKEN: { es: 'Un token de Hugging Face', en: 'A Hugging Face token', todo: remove },
  GOOGLE_SECRET: { es: 'Un secreto de Google', en: 'A Google secret', todo: remove },
  GOOGLE_KEY: {
    es: 'Una clave de Google',
    en: 'A Google key',
    todo: 'Quítala, o asegúrate de que está limitada al uso público.',
  },
  SLACK_TOKEN: { es: 'Un token de Slack', en: 'A Slack token', todo: remove },
  SLACK_WEBHOOK: { es: 'La dirección de un webhook de Slack', en: 'A Slack webhook', todo: remove },
  STRIPE_KEY: { es: 'Una clave real de Stripe', en: 'A live Stripe key', todo: remove },
  STRIPE_TEST_KEY: { es: 'Una clave de prueba de Stripe', en: 'A Stripe test key', todo: remove },
  SENDGRID_KEY: { es: 'Una clave de SendGrid', en: 'A SendGrid key', todo: remove },
  AZURE_KEY: { es: 'Una clave de Azure', en: 'An Azure key', todo: remove },
  SERVICE_KEY: { es: 'La clave de un servicio', en: 'The key of a service', todo: remove },
  JWT: { es: 'Un token firmado (JWT)', en: 'A signed token (JWT)', todo: remove },
  PASSWORD_IN_ADDRESS: {
    es: 'Una dirección con contraseña',
    en: 'A password in an address',
    todo: 'Deja que la configure quien lo usa, y cambia la contraseña.',
  },
  SECRET_ASSIGNED: { es: 'Parece un secreto', en: 'Looks like a secret', todo: `Si lo es: ${remove}` },
  SECRET_FILE: {
    es: 'Un fichero de secretos',
    en: 'A file of secrets',
    todo: 'Los ficheros con este nombre suelen guardar contraseñas o claves. Quítalo.',
  },
  BIDI_CONTROL: {
    es: 'Texto que se lee en otro orden',
    en: 'Text in another order',
    todo: 'Hay caracteres que cambian el orden en que se ve el texto. Quítalos.',
  },
  HIDDEN_TEXT: {
    es: 'Texto invisible',
    en: 'Invisible text',
    todo: 'Hay caracteres invisibles que los modelos leen. Quítalos.',
  },
  ZERO_WIDTH_RUN: {
    es: 'Caracteres sin anchura seguidos',
    en: 'A run of zero-width characters',
    todo: 'Pueden esconder texto. Quítalos.',
  },
  ZERO_WIDTH: {
    es: 'Caracteres sin anchura',
    en: 'Zero-width characters',
    todo: 'Esconden palabras de las búsquedas. Quítalos.',
  },
  TERMINAL_ESCAPE: {
    es: 'Una secuencia de control del terminal',
    en: 'A terminal control sequence',
    todo: 'Puede ocultar el texto que la rodea. Quítala.',
  },
  OVERRIDES_INSTRUCTIONS: {
    es: 'Pide ignorar las instrucciones',
    en: 'Overrides instructions',
    todo: `Describe qué debe hacer en vez de pedir que ignore sus instrucciones. ${closely}`,
  },
  HIDES_FROM_USER: {
    es: 'Oculta algo a quien lo usa',
    en: 'Hides something from the user',
    todo: `Pide al modelo que no diga algo. ${closely}`,
  },
  SENDS_SECRETS: {
    es: 'Envía secretos o datos fuera',
    en: 'Sends secrets away',
    todo: `Manda claves, variables, ficheros o conversaciones a una dirección. ${closely}`,
  },
  DATA_IN_IMAGE_ADDRESS: {
    es: 'Datos en la dirección de una imagen',
    en: 'Data in an image address',
    todo: `Al mostrarse, la imagen envía los datos. ${closely}`,
  },
  RUNS_WHAT_IT_DOWNLOADS: {
    es: 'Ejecuta lo que descarga',
    en: 'Runs what it downloads',
    todo: 'Lo descargado puede cambiar después de la revisión. Incluye el programa en el paquete.',
  },
  RUNS_HIDDEN_CODE: {
    es: 'Ejecuta código codificado',
    en: 'Runs hidden code',
    todo: 'Nadie puede revisarlo. Inclúyelo como texto.',
  },
  DELETES_EVERYTHING: {
    es: 'Borra sin límite',
    en: 'Deletes everything',
    todo: 'Borra la carpeta personal o el disco. Nombra una carpeta concreta.',
  },
  READS_SECRETS: {
    es: 'Lee donde se guardan claves',
    en: 'Reads places of secrets',
    todo: `Nombra un fichero o carpeta de claves o contraseñas. ${closely}`,
  },
  DEPENDENCIES: {
    es: 'Dependencias instaladas',
    en: 'Installed dependencies',
    todo: 'Quítalas y decláralas en un manifiesto.',
  },
  REPOSITORY: {
    es: 'El historial de un repositorio',
    en: 'The history of a repository',
    todo: 'Contiene también lo borrado. Quítalo.',
  },
  SYSTEM_FILE: {
    es: 'Un fichero del sistema operativo',
    en: 'A file of the operating system',
    todo: 'Quítalo.',
  },
  HIDDEN_FILE: {
    es: 'Un fichero oculto',
    en: 'A hidden file',
    todo: 'Quítalo, o explica para qué sirve.',
  },
  HUGE_FILE: {
    es: 'Un fichero muy grande',
    en: 'A very large file',
    todo: 'Cada instalación lo copia. Quítalo si no hace falta.',
  },
  EXECUTABLE: {
    es: 'Un programa compilado',
    en: 'A compiled program',
    todo: 'Nadie puede revisarlo. Incluye el código fuente.',
  },
  ARCHIVE: {
    es: 'Un archivo comprimido',
    en: 'An archive',
    todo: 'Su contenido no se comprueba. Incluye los ficheros sueltos.',
  },
  BINARY_FILE: {
    es: 'Un fichero binario',
    en: 'A binary file',
    todo: 'No es texto ni un formato conocido. Explica para qué sirve.',
  },
  LICENSE_MISSING: {
    es: 'Falta la licencia',
    en: 'The license is missing',
    todo: 'Añade un fichero LICENSE, o «license» en la cabecera.',
  },
  NOT_LOOKED_AT: {
    es: 'No se ha comprobado entero',
    en: 'Not checked to the end',
    todo: 'Es demasiado largo para las comprobaciones. Lee tú el resto.',
  },
  FILE_MISSING: {
    es: 'Falta el contenido del fichero',
    en: 'The content is missing',
    todo: 'Súbelo otra vez.',
  },
  MORE_FINDINGS: {
    es: 'Hay más hallazgos',
    en: 'There are more findings',
    todo: 'Solo se muestran los primeros.',
  },
}
