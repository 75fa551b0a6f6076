// error: limit-exceeded limit-exceeded limit-exceeded limit-exceeded limit-exceeded
var<private> big: array<u32, 20000>;
@compute @workgroup_size(1) fn main() { big[0] = 1; }
fn many(p0: u32, p1: u32, p2: u32, p3: u32, p4: u32, p5: u32, p6: u32, p7: u32, p8: u32, p9: u32, p10: u32, p11: u32, p12: u32, p13: u32, p14: u32, p15: u32, p16: u32, p17: u32, p18: u32, p19: u32, p20: u32, p21: u32, p22: u32, p23: u32, p24: u32, p25: u32, p26: u32, p27: u32, p28: u32, p29: u32, p30: u32, p31: u32, p32: u32, p33: u32, p34: u32, p35: u32, p36: u32, p37: u32, p38: u32, p39: u32, p40: u32, p41: u32, p42: u32, p43: u32, p44: u32, p45: u32, p46: u32, p47: u32, p48: u32, p49: u32, p50: u32, p51: u32, p52: u32, p53: u32, p54: u32, p55: u32, p56: u32, p57: u32, p58: u32, p59: u32, p60: u32, p61: u32, p62: u32, p63: u32, p64: u32, p65: u32, p66: u32, p67: u32, p68: u32, p69: u32, p70: u32, p71: u32, p72: u32, p73: u32, p74: u32, p75: u32, p76: u32, p77: u32, p78: u32, p79: u32, p80: u32, p81: u32, p82: u32, p83: u32, p84: u32, p85: u32, p86: u32, p87: u32, p88: u32, p89: u32, p90: u32, p91: u32, p92: u32, p93: u32, p94: u32, p95: u32, p96: u32, p97: u32, p98: u32, p99: u32, p100: u32, p101: u32, p102: u32, p103: u32, p104: u32, p105: u32, p106: u32, p107: u32, p108: u32, p109: u32, p110: u32, p111: u32, p112: u32, p113: u32, p114: u32, p115: u32, p116: u32, p117: u32, p118: u32, p119: u32, p120: u32, p121: u32, p122: u32, p123: u32, p124: u32, p125: u32, p126: u32, p127: u32, p128: u32, p129: u32, p130: u32, p131: u32, p132: u32, p133: u32, p134: u32, p135: u32, p136: u32, p137: u32, p138: u32, p139: u32, p140: u32, p141: u32, p142: u32, p143: u32, p144: u32, p145: u32, p146: u32, p147: u32, p148: u32, p149: u32, p150: u32, p151: u32, p152: u32, p153: u32, p154: u32, p155: u32, p156: u32, p157: u32, p158: u32, p159: u32, p160: u32, p161: u32, p162: u32, p163: u32, p164: u32, p165: u32, p166: u32, p167: u32, p168: u32, p169: u32, p170: u32, p171: u32, p172: u32, p173: u32, p174: u32, p175: u32, p176: u32, p177: u32, p178: u32, p179: u32, p180: u32, p181: u32, p182: u32, p183: u32, p184: u32, p185: u32, p186: u32, p187: u32, p188: u32, p189: u32, p190: u32, p191: u32, p192: u32, p193: u32, p194: u32, p195: u32, p196: u32, p197: u32, p198: u32, p199: u32, p200: u32, p201: u32, p202: u32, p203: u32, p204: u32, p205: u32, p206: u32, p207: u32, p208: u32, p209: u32, p210: u32, p211: u32, p212: u32, p213: u32, p214: u32, p215: u32, p216: u32, p217: u32, p218: u32, p219: u32, p220: u32, p221: u32, p222: u32, p223: u32, p224: u32, p225: u32, p226: u32, p227: u32, p228: u32, p229: u32, p230: u32, p231: u32, p232: u32, p233: u32, p234: u32, p235: u32, p236: u32, p237: u32, p238: u32, p239: u32, p240: u32, p241: u32, p242: u32, p243: u32, p244: u32, p245: u32, p246: u32, p247: u32, p248: u32, p249: u32, p250: u32, p251: u32, p252: u32, p253: u32, p254: u32, p255: u32) { }
fn local() { var a: array<u32, 20000>; a[0] = 1; }
alias A0 = array<u32, 1>;
alias A1 = array<A0, 1>;
alias A2 = array<A1, 1>;
alias A3 = array<A2, 1>;
alias A4 = array<A3, 1>;
alias A5 = array<A4, 1>;
alias A6 = array<A5, 1>;
alias A7 = array<A6, 1>;
alias A8 = array<A7, 1>;
alias A9 = array<A8, 1>;
alias A10 = array<A9, 1>;
alias A11 = array<A10, 1>;
alias A12 = array<A11, 1>;
alias A13 = array<A12, 1>;
alias A14 = array<A13, 1>;
alias A15 = array<A14, 1>;

struct Deep { a: A14 }
