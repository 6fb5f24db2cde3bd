let context: AudioContext | undefined;

/** Two short notes: rising for done, falling for refused. Made here, so there is no file to load. */
export function play(kind: 'done' | 'refused'): void {
  try {
    context ??= new AudioContext();
  } catch {
    return; // no sound device: the notice is read
  }
  const [first, second] = kind === 'done' ? [660, 880] : [330, 247];
  note(context, first, 0);
  note(context, second, 0.09);
}

function note(audio: AudioContext, hertz: number, after: number): void {
  const start = audio.currentTime + after;
  const gain = audio.createGain();
  gain.gain.setValueAtTime(0, start);
  gain.gain.linearRampToValueAtTime(0.06, start + 0.01);
  gain.gain.exponentialRampToValueAtTime(0.001, start + 0.11);
  gain.connect(audio.destination);
  const oscillator = audio.createOscillator();
  oscillator.frequency.value = hertz;
  oscillator.connect(gain);
  oscillator.start(start);
  oscillator.stop(start + 0.12);
}
