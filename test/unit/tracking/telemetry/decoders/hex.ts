/** The bytes of digits, which may be grouped by spaces. */
export const hex = (text: string) => Buffer.from(text.replace(/\s/g, ''), 'hex');
